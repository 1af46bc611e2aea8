import { describe, expect, test } from 'vitest';

import { moveTo } from '#domain/testing/orders.ts';

import { getCookieHeader } from '../../accounts/testing/browser.ts';
import { auditor, signedInAs } from '../../orders/testing/ordering.ts';
import { checkOutCart, placedBy, toOrder } from '../../orders/testing/placing.ts';
import { openShopForFile } from '../../testing/test-shop.ts';

const shop = await openShopForFile({ people: { auditor }, projecting: true });
const books = await signedInAs(shop, auditor);
await checkOutCart(shop, 'ravi');
const placed = await placedBy(shop, 'meera');
const { id } = await placedBy(shop, 'meera');
await toOrder(shop, id, moveTo('cancelled'));

type Line = Readonly<Record<string, unknown>>;

const linesOf = async (query: string): Promise<Line[]> => {
  const { status, body } = await books.get(`/api/audit/what-if${query}`);
  expect(status).toBe(200);
  return String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
};

describe('GET /audit/what-if', () => {
  test('reports progress, then the orders that would differ, then sums; drafts and cancelled orders do not count', async () => {
    const before = await shop.store.head(['order']);
    const lines = await linesOf('?rate=3303=12&rate=3301=5&wrap=49&shipping=99:2000&from=2017-07-01');
    const position = expect.stringMatching(/^\d+$/) as unknown;
    expect(lines[0]).toEqual({ of: 'log', events: 6, position, end: position });
    const { orderNumber, placedAt } = placed.view;
    const amounts = { was: 11_033, wouldBe: expect.any(Number) as unknown, difference: expect.any(Number) as unknown };
    expect(lines.at(-2)).toEqual({ orders: [{ orderNumber, placedAt, state: 'Kerala', ...amounts }] });
    expect(lines.at(-1)).toEqual({
      done: true,
      rules: {
        rates: [
          { hsn: '3303', rate: 12 },
          { hsn: '3301', rate: 5 },
        ],
        from: '2017-07-01',
        giftWrap: 49,
        shipping: { fee: 99, threshold: 2_000 },
      },
      all: { orders: 1, ...amounts },
      differing: { orders: 1, ...amounts },
      rows: [{ month: expect.stringMatching(/^\d{4}-\d\d$/) as unknown, state: 'Kerala', orders: 1, ...amounts }],
    });
    expect(await shop.store.head(['order'])).toBe(before);
  });

  test.each([
    ['?rate=33=12', 'rate'],
    ['?rate=3303=12&rate=3303=5', 'rate'],
    ['?from=2026-02-30', 'from'],
    ['?wrap=-1', 'wrap'],
    ['?wrap=1&wrap=2', 'wrap'],
    ['?shipping=99', 'shipping'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await books.get(`/api/audit/what-if${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: { [field]: expect.stringMatching(/^An? .+ such as /) as unknown } });
  });

  test('runs one recalculation at a time, and the next once its caller has left', async () => {
    const cookie = getCookieHeader(books);
    const leaving = new AbortController();
    const call = () => fetch(`${shop.url}/api/audit/what-if`, { headers: { cookie }, signal: leaving.signal });
    const answers = await Promise.all([call(), call()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
    const refused = answers.find(({ status }) => status === 503);
    expect(await refused?.json()).toMatchObject({ message: 'Another what-if is under way. Try again in a minute.' });
    leaving.abort();
    expect((await linesOf('')).at(-1)).toMatchObject({ done: true });
  });
});
