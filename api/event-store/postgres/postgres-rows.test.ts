import { afterAll, expect, test } from 'vitest';

import { logPosition, START } from '#domain/event-store.ts';

import { freshDatabase } from '../../testing/database-per-test.ts';
import { openPool } from './postgres-connections.ts';
import { HEAD, PAGE_OF, storedRows } from './postgres-rows.ts';

const RARE = 10;
const ALL = 20_000;
/** The history has a few product events, followed by order events only. */
const HISTORY = `insert into log.events (position, stream, revision, event_id, type, data, metadata)
  select n, (case when n <= ${RARE} then 'product-' else 'order-' end) || n, 0, gen_random_uuid(), 'Happened', '{}', '{}'
  from generate_series(1, ${ALL}) n`;

const pool = openPool(await freshDatabase(), 1, 5_000);
await pool.query(HISTORY);
await pool.query('vacuum analyze log.events');
afterAll(() => pool.end());

test('events of some categories are returned in log order, in pages', async () => {
  const rows = storedRows(pool, 5_000);
  const positions = async (after: bigint, ...categories: ('product' | 'order' | 'cart')[]) => {
    const page = await rows.page(logPosition(after), 3, categories);
    return page.map(({ position }) => Number(position));
  };
  expect(await positions(0n, 'product')).toEqual([1, 2, 3]);
  expect(await positions(8n, 'product')).toEqual([9, 10]);
  expect(await positions(8n, 'cart', 'order', 'product')).toEqual([9, 10, 11]);
  expect(await positions(BigInt(ALL), 'order', 'product')).toEqual([]);
  const head = async (...categories: ('product' | 'order' | 'cart')[]) => Number(await rows.head(categories));
  expect([await head('product'), await head('product', 'order'), await head('cart')]).toEqual([RARE, ALL, Number(START)]);
});

test.each([
  ['a page', PAGE_OF, `(${RARE}, 500, '{product}')`],
  ['the head', HEAD, `('{product}')`],
])('%s of a rare category is read without the events of others', async (_, { text }, values) => {
  // A frequently used prepared statement gets this plan.
  await pool.query('set plan_cache_mode = force_generic_plan');
  await pool.query(`prepare often as ${text}`);
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) execute often ${values}`);
  await pool.query('deallocate often');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using events_by_category');
  expect(plan).not.toContain('Rows Removed by Filter');
});
