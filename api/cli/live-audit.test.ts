import { beforeEach, expect, test } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { stats } from '#projections/stats/projector.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { moveTo } from '#domain/testing/orders.ts';

import { placedBy, toOrder } from '../orders/testing/placing.ts';
import { catchUp, isLogInPostgres, openShopForFile, openTestShop } from '../testing/test-shop.ts';
import { auditCommand } from './audit.ts';
import { liveAudit } from './live-audit.ts';

let said: string[];
let told: string[];

const shop = await openShopForFile({ projecting: true, reacting: true });
const placed = await placedBy(shop, 'meera');
await toOrder(shop, placed.id, moveTo('confirmed'), moveTo('shipped'));
await catchUp(shop);
beforeEach(() => {
  said = [];
  told = [];
});

const audit = (...args: readonly string[]): Promise<number> =>
  auditCommand(args, { live: async () => liveAudit(shop), out: (line) => void said.push(line), err: (line) => told.push(line) });
const sql = (text: string) => shop.pool.query(text, [`order-${placed.id}`]);

/** Runs `look` between the SQL that tampers and the SQL that undoes it. */
const whileTampered = async (harm: string, mend: string, look: () => Promise<void>): Promise<void> => {
  await sql(harm);
  try {
    await look();
  } finally {
    await sql(mend);
  }
};

test('saved heads are kept, and compared later', async () => {
  expect(await audit('heads', '--save')).toBe(0);
  expect(said).toEqual([]);
  expect(told.at(-1)).toBe('The heads are saved in the shop');
  expect(await audit('heads', '--save')).toBe(0);
  expect(await audit('verify-all')).toBe(0);
  expect(said.slice(-9)).toEqual([
    '1 orders placed, sales ₹11,033.00',
    'The dashboard matches the log',
    ...['catalogue', 'my-orders', 'orders-desk', 'payments', 'papers', 'stats', 'messages'].map(
      (model) => expect.stringMatching(new RegExp(`^${model}: every row matches the log at position \\d+$`)) as unknown,
    ),
  ]);
  expect(await audit('order', placed.view.orderNumber ?? '', '--verify')).toBe(0);
  expect(said.at(-1)).toMatch(/^Chain intact/);
});

test.runIf(isLogInPostgres)('a byte changed in the store is found, and no head of that log is saved', () =>
  whileTampered(
    `update log.events set data = replace(data::text, '"COD"', '"COd"')::json where stream = $1 and revision = 1`,
    `update log.events set data = replace(data::text, '"COd"', '"COD"')::json where stream = $1 and revision = 1`,
    async () => {
      expect(await audit('verify-all')).toBe(1);
      expect(said[0]).toBe(`order-${placed.id} at revision 1: altered, this event is not what was appended`);
      expect(await audit('order', placed.id, '--verify')).toBe(1);
      expect(said.at(-1)).toBe('Chain BROKEN at revision 1: altered');
      expect(await audit('heads', '--save')).toBe(1);
      expect(told).not.toContain('The heads are saved in the shop');
    },
  ),
);

test('rows and figures that differ from the log are found', () =>
  whileTampered(
    `with figures as (update ${nameTable(stats, 'stats_ever')} set sales = sales + 100)
     update ${nameTable(ordersDesk, 'orders_desk')} set status = 'delivered' where 'order-' || order_id::text = $1`,
    `with figures as (update ${nameTable(stats, 'stats_ever')} set sales = sales - 100)
     update ${nameTable(ordersDesk, 'orders_desk')} set status = 'shipped' where 'order-' || order_id::text = $1`,
    async () => {
      expect(await audit('verify-all')).toBe(1);
      expect(said).toContain('The dashboard shows ₹11,034.00 sales, the log comes to ₹11,033.00');
      expect(said).toContain(`  orders_desk ${placed.id}: differs in status`);
      expect(said).toContain(`orders-desk: 1 rows differ at position ${said.at(-2)?.split(' ').at(-1)}`);
    },
  ));

test('the log is checked even before read models are built, and a missing comparison does not count as success', async () => {
  const bare = await openTestShop();
  const live = async () => liveAudit(bare);
  const code = await auditCommand(['verify-all'], { live, out: (line) => void said.push(line), err: (line) => told.push(line) });
  await bare.close();
  expect(code).toBe(1);
  expect(said).toContain('2 events of 1 streams: everything is as it was written');
  expect(said).toContain('The dashboard has no figures yet: its read model is not built');
  expect(said.at(-2)).toMatch(/^stats: could not be compared\. stats is not built yet/);
});

test('running read models leave connections for queries and for two checks at once', async () => {
  const clients = await Promise.all(Array.from({ length: 6 }, () => shop.read.pool.connect()));
  for (const client of clients) client.release();
  expect(clients.length).toBe(6);
});

// This test is the last, because removed events do not come back.
test.runIf(isLogInPostgres)('a cut-off tail is detected by saved heads', async () => {
  await audit('heads', '--save');
  await sql('delete from log.events where stream = $1 and revision = 3');
  expect(await audit('verify-all')).toBe(1);
  expect(said).toContain(`order-${placed.id} at revision 3: missing, there is no event at this revision any more`);
  expect(await audit('order', placed.id, '--verify')).toBe(1);
  expect(said.at(-1)).toBe('Chain BROKEN at revision 3: missing');
});
