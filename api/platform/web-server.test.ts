import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';

import { openWebServer } from './web-server.ts';

const here = { host: '127.0.0.1', port: 0 };

const say = async (url: string, bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
};

describe('the web server', () => {
  test('answers 503 with Retry-After until the shop is open', async () => {
    const server = await openWebServer(here);
    const early = await fetch(server.url);
    expect({ status: early.status, retryAfter: early.headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    expect(await early.json()).toMatchObject({ code: 'unavailable' });
    expect(early.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");

    server.serve((_, res) => void res.end('open'));
    expect(await (await fetch(server.url)).text()).toBe('open');
    await server.close();
  });

  test('finishes requests under way when it closes, and accepts no new ones', async () => {
    const server = await openWebServer(here);
    const arrived = new Promise<() => void>((resolve) => server.serve((_, res) => resolve(() => void res.end('finished'))));
    const asking = fetch(server.url);
    const finish = await arrived;
    const closing = server.close();
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    finish();
    expect(await (await asking).text()).toBe('finished');
    await closing;
  });

  test('does not wait for idle connections', async () => {
    const server = await openWebServer(here);
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await server.close();
    await ended;
  });

  test('answers input that is not HTTP with 400 or 431', async () => {
    const server = await openWebServer(here);
    const refused = await say(server.url, 'GET / HTTP/1.1\r\nnonsense\r\n\r\n');
    expect(refused).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*X-Request-Id: [\w-]{36}\r\n[\s\S]*\r\n$/);
    expect(refused).toContain("Content-Security-Policy: default-src 'none';frame-ancestors 'none'\r\n");
    expect(await say(server.url, `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    await server.close();
  });

  test('works on sixteen requests of a connection at once, and refuses those that are sent on top', async () => {
    const server = await openWebServer(here);
    let underWay = 0;
    let most = 0;
    server.serve((_, res) => {
      most = Math.max(most, (underWay += 1));
      setImmediate(() => {
        underWay -= 1;
        res.end('done');
      });
    });
    const answer = await say(server.url, 'GET / HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(1_000));
    expect(most).toBe(16);
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(16);
    expect(answer).toContain('HTTP/1.1 429 Too Many Requests');
    await server.close();
  });

  test('explains in one line why it cannot listen', async () => {
    const server = await openWebServer(here);
    const port = Number(new URL(server.url).port);
    await expect(openWebServer({ ...here, port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    await expect(openWebServer({ host: '203.0.113.7', port: 0 })).rejects.toThrow('HOST 203.0.113.7 is not an address of this machine');
    await server.close();
  });
});
