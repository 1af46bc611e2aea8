import Koa from 'koa';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';

import { EventStoreUnavailable, WrongRevision, StreamIncomplete } from '#domain/event-store.ts';

import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { Rejected } from '../command-handler/execute.ts';
import { MutexTimeout } from '../platform/keyed-mutex.ts';
import { openLogger } from '../platform/logger.ts';
import { listening } from '../testing/listening.ts';
import { type State, requestId } from './context.ts';
import { errors } from './errors.ts';
import { invalid } from './http-error.ts';

const lines: string[] = [];
const failures = new Map<string, () => unknown>([
  ['/invalid', () => invalid('Please correct the marked fields', { name: 'Required' })],
  ['/rejected', () => new Rejected({ code: 'product_not_found' })],
  ['/faulty', () => new Rejected({ code: 'product_invalid', errors: { name: 'Required' } })],
  ['/contended', () => new WrongRevision('product-oud', 3, 5)],
  ['/erased', () => new SubjectErased('meera')],
  ['/store-away', () => new EventStoreUnavailable('esdb://es:2113 does not answer')],
  ['/cut', () => new StreamIncomplete('order-1', 'truncated', 0, 4)],
  ['/mutex-timeout', () => new MutexTimeout('meera is busy: not free within 5000 ms')],
  ['/postgres-away', () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })],
  ['/postgres-lost', () => new Error('Connection terminated unexpectedly')],
  ['/postgres-deadlock', () => Object.assign(new pg.DatabaseError('deadlock detected', 1, 'error'), { code: '40P01' })],
  ['/postgres-stopping', () => Object.assign(new pg.DatabaseError('terminating connection', 1, 'error'), { code: '57P01' })],
  ['/sql', () => Object.assign(new pg.DatabaseError('relation "shop.accounts" does not exist', 1, 'error'), { code: '42P01' })],
  ['/bug', () => new TypeError("Cannot read properties of undefined (reading 'secret')")],
  ['/thrown-text', () => 'a text, at /srv/shop.ts:12'],
]);

const app = new Koa<State>();
app.use(requestId);
app.use(errors(openLogger('info', { write: (line) => void lines.push(line) })));
app.use((ctx) => {
  throw failures.get(ctx.path)?.();
});
const server = await listening(app.callback());
afterAll(() => server.close());

const answerTo = async (path: string) => {
  const response = await fetch(server.url + path);
  return { status: response.status, body: (await response.json()) as { code: string }, headers: response.headers };
};

describe('the response to an error', () => {
  test('names the wrong field of an invalid request', async () =>
    expect(await answerTo('/invalid')).toMatchObject({
      status: 400,
      body: { message: 'Please correct the marked fields', code: 'invalid_request', errors: { name: 'Required' } },
    }));

  test('has the status, message and code of a rejection of the domain', async () => {
    expect(await answerTo('/rejected')).toMatchObject({ status: 404, body: { message: 'Product not found', code: 'product_not_found' } });
    expect(await answerTo('/faulty')).toMatchObject({ status: 400, body: { code: 'product_invalid', errors: { name: 'Required' } } });
  });

  test('signs out a user who was erased meanwhile', async () =>
    expect(await answerTo('/erased')).toMatchObject({ status: 401, body: { message: 'Not signed in', code: 'not_signed_in' } }));

  test('is a conflict for a stream that changes during every attempt', async () =>
    expect(await answerTo('/contended')).toMatchObject({ status: 409, body: { code: 'conflict' } }));

  test.each(['/store-away', '/cut', '/mutex-timeout', '/postgres-away', '/postgres-lost', '/postgres-stopping'])(
    'for %s is 503 with Retry-After',
    async (path) => {
      const { status, body, headers } = await answerTo(path);
      expect({ status, code: body.code, retryAfter: headers.get('retry-after') }).toEqual({
        status: 503,
        code: 'unavailable',
        retryAfter: '2',
      });
    },
  );

  test.each(['/sql', '/bug', '/thrown-text'])('for %s is 500 without details', async (path) =>
    expect(await answerTo(path)).toMatchObject({ status: 500, body: { code: 'internal' } }),
  );

  test.each([...failures.keys()])('for %s shows no internals', async (path) => {
    const { body } = await answerTo(path);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|5432|2113|relation|TypeError|undefined|terminat|\.ts|secret/);
  });

  test('is logged with the request id if the shop caused the error, and not if the caller did', async () => {
    lines.length = 0;
    const { headers } = await answerTo('/bug');
    await answerTo('/rejected');
    const logged = lines.map((line): unknown => JSON.parse(line));
    expect(logged).toEqual([expect.objectContaining({ level: 'error', requestId: headers.get('x-request-id') })]);
    expect(lines[0]).toContain("reading 'secret'");
  });
});
