import { nameTable } from '#projections/engine/table-set.ts';
import { stats } from '#projections/stats/projector.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { StreamIncomplete } from '#domain/event-store.ts';
import { once } from 'node:events';
import pg from 'pg';
import { expect, test, vi } from 'vitest';

import { moveTo } from '#domain/testing/orders.ts';

import { getCookieHeader } from '../../accounts/testing/browser.ts';
import { auditor, signedInAs } from '../../orders/testing/ordering.ts';
import { checkOutCart, placedBy, toOrder } from '../../orders/testing/placing.ts';
import { catchUp, openShopForFile } from '../../testing/test-shop.ts';
import { SharedCheck } from './book-routes.ts';
import { checkBooks, type Checked, type CheckLine } from './check-books.ts';
import { CheckFailed, checkInChild } from './check-in-child.ts';
import { createSavedHeads } from '../saved-heads.ts';

const shop = await openShopForFile({ people: { auditor }, projecting: true });
const books = await signedInAs(shop, auditor);
await checkOutCart(shop, 'ravi');
await placedBy(shop, 'meera');
const { id } = await placedBy(shop, 'meera');
await toOrder(shop, id, moveTo('cancelled'));
await catchUp(shop);

const linesIn = (body: unknown): CheckLine[] =>
  String(body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckLine);
const resultOf = (lines: readonly CheckLine[]): Checked => {
  const result = lines.at(-1);
  if (!result || !('done' in result)) throw new Error('The books came to no end');
  return result;
};
/** Checks the books as the child does, in this process. */
const checkHere = async (store = shop.store): Promise<Checked & { readonly lines: readonly CheckLine[] }> => {
  const lines: CheckLine[] = [];
  const savedHeads = createSavedHeads(shop.db, () => new Date(shop.now()));
  for await (const line of checkBooks({ ...shop, store, savedHeads }, new AbortController().signal)) lines.push(line);
  return { ...resultOf(lines), lines };
};

const MODELS = ['catalogue', 'my-orders', 'orders-desk', 'payments', 'papers', 'stats', 'messages'];

test('a check reports progress, and then that log, figures and read models are intact', async () => {
  const { lines, ...result } = await checkHere();
  const position = expect.stringMatching(/^\d+$/) as unknown;
  expect(lines[0]).toEqual({
    step: 1,
    steps: 1 + MODELS.length,
    of: 'log',
    events: expect.any(Number) as unknown,
    position,
    end: position,
  });
  const figures = { totalOrders: 2, lastWeekOrders: 2, totalSales: 11_033, lastMonthSales: 11_033 };
  expect(result).toMatchObject({ count: 0, findings: [], figures: { inLog: figures, inTable: figures, readModel: 'matches' } });
  expect(result.readModels).toEqual(MODELS.map((model) => ({ model, verdict: 'matches', position, count: 0, differences: [] })));
  expect(new Set(lines.slice(0, -1).map((line) => ('of' in line ? line.of : '')))).toEqual(
    new Set(['log', 'my-orders', 'orders-desk', 'payments', 'stats']),
  );
});

test('streams cut in the event store are reported, even if their events are still in the log', async () => {
  const cut = new StreamIncomplete('order-cut', 'truncated', 0, 2);
  expect(await checkHere({ ...shop.store, cutStreams: () => Promise.resolve([cut]) })).toMatchObject({
    count: 1,
    findings: [{ stream: 'order-cut', revision: 0, what: 'missing', detail: cut.message }],
  });
});

test('a failed check reports the reason', async () => {
  const { lines, ended } = checkInChild({ ...shop.where, databaseUrl: `${shop.databaseUrl}-gone` }, new AbortController().signal);
  await expect(lines.next()).rejects.toThrow(new CheckFailed());
  expect(await ended).toEqual([1, null]);
});

test('a check ends when its callers have left', async () => {
  const leaving = new AbortController();
  const { lines, ended } = checkInChild(shop.where, leaving.signal);
  expect(await lines.next()).toMatchObject({ value: { of: 'log' } });
  leaving.abort();
  const [, signal] = (await ended) as [number, string | null];
  expect(signal).toBeNull();
  for (let next = await lines.next(); !next.done; next = await lines.next()) expect(next.value).not.toHaveProperty('done');
});

test('rows and figures that do not match the log are reported beside the correct ones, and what cannot be compared', async () => {
  const damage = async (status: string, was: string, paise: number, builtAt: string): Promise<void> => {
    await shop.pool.query(`update ${nameTable(ordersDesk, 'orders_desk')} set status = $1 where status = $2`, [status, was]);
    await shop.pool.query(`update ${nameTable(stats, 'stats_ever')} set sales = sales + $1`, [paise]);
    await shop.pool.query(`update read.checkpoints set built_at = ${builtAt} where (model, slot) = ('catalogue', 'live')`);
  };
  await damage('delivered', 'cancelled', 100, 'null');
  const { count, readModels, figures } = await checkHere();
  await damage('cancelled', 'delivered', -100, 'now()');
  expect(count).toBe(0);
  expect(readModels).toMatchObject([
    { model: 'catalogue', verdict: 'unverified', why: expect.stringContaining('catalogue is not built yet') },
    { model: 'my-orders', verdict: 'matches' },
    { model: 'orders-desk', verdict: 'differs', count: 1, differences: [{ table: 'orders_desk', what: ['status'] }] },
    { model: 'payments', verdict: 'matches' },
    { model: 'papers', verdict: 'matches' },
    { model: 'stats', verdict: 'differs' },
    { model: 'messages', verdict: 'matches' },
  ]);
  expect(figures).toMatchObject({ readModel: 'differs', inLog: { totalSales: 11_033 }, inTable: { totalSales: 11_034 } });
});

/** Locks the read model's checkpoint, so that a rebuild waits. */
const whileHeld = async (model: string, work: () => Promise<void>): Promise<void> => {
  const holder = new pg.Client({ connectionString: shop.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from read.checkpoints where model = $1 for update', [model]);
    await work();
    await holder.query('commit');
  } finally {
    await holder.end();
  }
};

const asking = (signal?: AbortSignal): Promise<Response> => {
  const cookie = getCookieHeader(books);
  return fetch(`${shop.url}/api/audit/verify`, { headers: { cookie }, ...(signal && { signal }) });
};

test('a caller during a check gets the same one, even if the first has left, and a new one if all had left', async () => {
  const [gone, leaving] = [new AbortController(), new AbortController()];
  const others: Response[] = [];
  await whileHeld('catalogue', async () => {
    await asking(gone.signal);
    gone.abort();
    expect((await asking(leaving.signal)).status).toBe(200);
    others.push(await asking(), await asking());
    leaving.abort();
  });
  const [one, other] = await Promise.all(others.map(async (answer) => linesIn(await answer.text()).at(-1)));
  // Two checks would block each other, because one process at a time rebuilds a read model.
  expect(one).toMatchObject({ done: true, count: 0, readModels: MODELS.map((model) => ({ model, verdict: 'matches' })) });
  expect(other).toEqual(one);
});

const sayingOnly = (line: CheckLine, isLeft: () => void) => (signal: AbortSignal) => {
  signal.addEventListener('abort', isLeft);
  const lines = async function* (): AsyncGenerator<CheckLine, undefined> {
    yield line;
    await once(signal, 'abort');
    return undefined;
  };
  return { lines: lines(), ended: once(signal, 'abort') };
};

test('a check without progress repeats its last line until the last caller has left', async () => {
  const line = { step: 2, steps: 5, of: 'catalogue', events: 7, position: '7', end: '9' };
  const isLeft = vi.fn();
  const check = new SharedCheck(sayingOnly(line, isLeft));
  const [leaveFirst, leaveSecond] = [check.join(), check.join()];
  const lines = check.lines(10);
  for (let time = 0; time < 3; time++) expect(await lines.next()).toEqual({ done: false, value: line });
  leaveFirst();
  expect(isLeft).not.toHaveBeenCalled();
  leaveSecond();
  expect(isLeft).toHaveBeenCalledOnce();
  await check.ended;
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});
