import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openLogger } from '../platform/logger.ts';
import { openWebServer } from '../platform/web-server.ts';
import { listening, type Listening } from '../testing/listening.ts';
import { type State, requestId } from './context.ts';
import { errors } from './errors.ts';
import { getBody, jsonBody } from './json-body.ts';
import { shedLoad } from './load-shedding.ts';

const app = new Koa<State>();
app.silent = true;
app.use(requestId);
app.use(errors(openLogger('silent')));
app.use(jsonBody);
app.use((ctx) => {
  ctx.body = { got: getBody(ctx) };
});
// It drops the rest of a body that is too large, so that its connection can be used again.
const server = await openWebServer({ host: '127.0.0.1', port: 0 });
server.serve(app.callback());
afterAll(() => server.close());

const JSON_TYPE = 'application/json';

const send = async (body: string | Uint8Array<ArrayBuffer>, type = JSON_TYPE) => {
  const response = await fetch(server.url, { method: 'POST', body, headers: { 'Content-Type': type } });
  return { status: response.status, body: (await response.json()) as { got: { isAdmin?: boolean } } };
};

describe('a JSON body in UTF-8', () => {
  test('arrives as it was sent', async () =>
    expect(await send('{"name":"Ruh Gulab","notes":["गुलाब"]}')).toEqual({
      status: 200,
      body: { got: { name: 'Ruh Gulab', notes: ['गुलाब'] } },
    }));

  test('may have its charset named, in any letter case', async () =>
    expect(await send('{}', 'Application/JSON; charset=UTF-8')).toMatchObject({ status: 200 }));

  test('is an empty object if it is missing', async () => {
    const response = await fetch(server.url, { method: 'POST' });
    expect(await response.json()).toEqual({ got: {} });
  });

  test('has the last value of a repeated key', async () =>
    expect(await send('{"price":1,"price":2}')).toMatchObject({ body: { got: { price: 2 } } }));

  test('treats `__proto__` and the like as ordinary keys', async () => {
    const { body } = await send('{"__proto__":{"isAdmin":true}}');
    expect(body.got.isAdmin).toBeUndefined();
  });

  test.each([
    ['a form', 'name=x', 'application/x-www-form-urlencoded'],
    ['JSON that calls itself text, as a form of another site can send it', '{}', 'text/plain'],
    ['another charset', '{}', 'application/json; charset=utf-16'],
    ['something that only begins like it', '{}', 'application/json-patch'],
  ])('is refused with 415 when it is %s', async (_, body, type) => expect(await send(body, type)).toMatchObject({ status: 415 }));

  test('is refused with 415 when it is compressed', async () => {
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };
    expect((await fetch(server.url, { method: 'POST', body: '{}', headers })).status).toBe(415);
  });

  test.each([
    ['a trailing comma', '{"name":"x",}'],
    ['a byte order mark', '\uFEFF{}'],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['nothing but a space', ' '],
  ])('%s is 400', async (_, body) => expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } }));
});

describe('a limit of the body', () => {
  const objects = (count: number): string => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 0])));

  test('refuses 2 MB with 413', async () => expect(await send(`"${'x'.repeat(2 * 2 ** 20)}"`)).toMatchObject({ status: 413 }));

  test('refuses 2 MB without a content length with 413', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    // The server may close the connection early.
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: shop\r\nContent-Type: ${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 8; sent++) socket.write(chunk);
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
  });

  test('refuses 10,000 levels with 400', async () =>
    expect(await send('['.repeat(10_000) + ']'.repeat(10_000))).toMatchObject({ status: 400, body: { message: /too deep/ } }));

  test('refuses 20,000 keys with 400', async () => expect(await send(objects(20_000))).toMatchObject({ status: 400 }));

  test('does not affect an ordinary form', async () => expect(await send(objects(200))).toMatchObject({ status: 200 }));

  test('leaves the server running after an incomplete body', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: shop\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n{"na`);
    await new Promise<void>((resolve) => void socket.end(resolve));
    expect(await send('{}')).toMatchObject({ status: 200 });
  });
});

describe('a body that does not come', () => {
  let shop: Listening;
  beforeAll(async () => {
    const app = new Koa<State>();
    app.silent = true;
    app.use(requestId).use(errors(openLogger('silent')));
    app.use(shedLoad(1)).use(jsonBody);
    app.use((ctx) => {
      ctx.body = { got: getBody(ctx) };
    });
    shop = await listening(app.callback());
  });
  afterAll(() => shop.close());

  /** Sends one byte of a body and no more. */
  const begin = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: shop\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: 20\r\n\r\n{`);
    await once(socket, 'connect');
    return socket;
  };
  const post = () => fetch(shop.url, { method: 'POST', body: '{}', headers: { 'Content-Type': JSON_TYPE } });

  test('takes no place, at most 32 of an address wait, and each ends after five seconds', async () => {
    const sockets = await Promise.all(Array.from({ length: 32 }, begin));
    const answers = sockets.map(async (socket) => String(await once(socket, 'data')));
    await expect.poll(async () => (await post()).status).toBe(429);
    expect((await fetch(shop.url)).status).toBe(200);
    const statuses = (await Promise.all(answers)).map((answer) => answer.slice(0, 12));
    expect(statuses).toEqual(sockets.map(() => 'HTTP/1.1 408'));
    expect((await post()).status).toBe(200);
  });
});
