import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import type { Answer } from '../accounts/testing/browser.ts';
import { change, shopping } from '../cart/testing/shopping.ts';
import { openShopForFile } from './test-shop.ts';

const AT_ONCE = 10;

const shop = await openShopForFile({ callsAtOnce: AT_ONCE, projecting: true });
await change([shop], oudSaffronMajlis, add());
const keeper = new pg.Client({ connectionString: shop.databaseUrl });
await keeper.connect();
afterAll(() => keeper.end());

/** Each visitor puts a perfume into a cart. */
const visitors = (many: number): readonly Promise<Answer>[] =>
  Array.from({ length: many }, () => shopping(shop).post('/api/cart/add-to-cart', { _id: oudSaffronMajlis }));

const statuses = async (answers: readonly Promise<Answer>[]): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('of ten times the load the excess is refused, and afterwards everything works as before', async () => {
  // While the head of the log is locked nothing is appended, so that requests stay under way.
  await keeper.query('begin');
  await keeper.query('select 1 from log.head for update');
  const burst = visitors(10 * AT_ONCE);
  const turnedAway: Answer[] = [];
  for (const answer of burst) void answer.then((each) => each.status === 503 && turnedAway.push(each));
  await expect.poll(() => turnedAway.length).toBe(9 * AT_ONCE);
  for (const { headers, body } of turnedAway) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: 'unavailable' });
  }
  const tile = () => fetch(`${shop.url}/log/tile/0/000.p/1`);
  expect((await tile()).status).toBe(503);
  await keeper.query('rollback');
  expect(await statuses(burst)).toEqual({ 200: AT_ONCE, 503: 9 * AT_ONCE });

  await expect.poll(async () => (await tile()).status).toBe(200);
  for (let round = 0; round < 3; round += 1) expect(await statuses(visitors(AT_ONCE))).toEqual({ 200: AT_ONCE });
  expect([shop.pool.waitingCount, shop.read.pool.waitingCount]).toEqual([0, 0]);
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(200);
});

test('positions that no event has take no place and no time', async () => {
  const headers = { Cookie: 'pos=product.99999999999~stock.99999999999~cart.99999999999' };
  const asking = Array.from({ length: 10 * AT_ONCE }, () => fetch(`${shop.url}/api/product?limit=1`, { headers }));
  const answers = await Promise.all(asking);
  expect(answers.map(({ status, headers: got }) => [status, got.get('x-stale')])).toEqual(answers.map(() => [200, null]));
});

/** Sends a request of which all bytes are written before the answer is read, as most clients do. */
const upload = (path: string, type: string, bytes: number, more = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let left = bytes;
    let answer = '';
    const write = (): void => {
      while (left > 0) {
        left -= chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', write);
      }
      socket.on('data', (data: Buffer) => (answer += data.toString()));
      socket.once('data', () => socket.end());
    };
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: shop\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n${more}\r\n`);
    write();
  });

test.each([
  ['/api/contact', 'application/json', 413],
  ['/api/contact', 'text/plain', 415],
  ['/api/product/pictures', 'image/png', 401],
  ['/api/payment/webhook', 'application/json', 413],
  ['/api/none', 'text/plain', 415],
] as const)('a client that sends too much reads the answer: %s as %s', async (path, type, status) => {
  for (const more of ['', 'Connection: close\r\n'])
    expect((await upload(path, type, 4 * 2 ** 20, more)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
});

test('a client that never stops sending is cut off a moment after its answer', async () => {
  await upload('/api/contact', 'application/json', 2 ** 40).catch((error: unknown) =>
    expect(error).toMatchObject({ syscall: expect.any(String) }),
  );
});
