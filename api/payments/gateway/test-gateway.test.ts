import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { paise, sum } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';

import { shopDatabase } from '../../platform/postgres/shop-tables.ts';
import { GatewayRefused } from './gateway.ts';
import { createTestLinks } from './test-gateway-rows.ts';
import { testGateway } from './test-gateway.ts';
import { AMOUNT, newOrder } from './testing/gateway-contract.ts';
import { openTestGateway } from './testing/razorpay-stand-in.ts';

const one = await openTestGateway();
const other = await openTestGateway(one.databaseUrl);
afterAll(() => Promise.all([other.close(), one.close()]));

const TIMES = Array.from({ length: 8 });

/** Opens the gateway as another process does, this many ms from now. */
const openAnother = (ahead = 0, warn: (about: unknown, text?: string) => void = () => {}) => {
  const pool = new pg.Pool({ connectionString: one.databaseUrl, max: 1 });
  const now = () => instant(new Date(Date.now() + ahead).toISOString());
  const parts = { links: createTestLinks(shopDatabase(pool), now), now, log: { warn }, webhookSecret: 'secret' };
  const gateway = testGateway({ ...parts, urlOf: (id) => id });
  onTestFinished(async () => {
    await gateway.close();
    await pool.end();
  });
  return gateway;
};

test('concurrent refunds in two processes neither exceed what was paid nor repeat a reference', async () => {
  const { id } = await one.gateway.openLink(newOrder());
  const payment = (await one.behind.pay(id))?.payments[0]?.id ?? '';
  const same = { payment, amount: paise(1_000_00), reference: randomUUID() };
  const twice = await Promise.all([one.gateway.refund(same), other.gateway.refund(same)]);
  expect(twice[0]).toEqual(twice[1]);
  const all = TIMES.map((_, index) =>
    (index % 2 === 0 ? one : other).gateway.refund({ payment, amount: paise(1_000_00), reference: randomUUID() }),
  );
  const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  for (const each of refused) expect(each).toMatchObject({ reason: expect.any(GatewayRefused) });
  expect(sum((await one.gateway.refundsOf(payment)).map(({ amount }) => amount))).toBe(paise(4_000_00));
});

test('a link expires, and another one is opened', async () => {
  const order = newOrder({ expiresAt: instant(new Date(Date.now() + 3_600_000).toISOString()) });
  const { id } = await one.gateway.openLink(order);
  const later = openAnother(3_700_000);
  expect(await later.link(id)).toMatchObject({ status: 'expired' });
  await later.closeLink(id);
  expect(await later.link(id)).toMatchObject({ status: 'expired' });
  expect(await later.openLink({ ...order, expiresAt: undefined })).toMatchObject({ status: 'open', reference: order.reference });
});

test('a payment stands although the shop did not accept its webhook', async () => {
  const warned: string[] = [];
  const untold = openAnother(0, (_, text = '') => void warned.push(text));
  untold.deliverTo(() => Promise.reject(new Error('The shop is closed')));
  const { id } = await untold.openLink(newOrder());
  expect(await untold.pay(id)).toMatchObject({ status: 'paid', amount: AMOUNT });
  expect(warned).toEqual(['A webhook of the test gateway was not taken', 'A webhook of the test gateway was not taken']);
});
