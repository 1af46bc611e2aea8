import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { order as orderDecider } from '#domain/order/order.ts';
import { product, type ProductCommand } from '#domain/product/product.ts';
import { paise } from '#domain/shared/money.ts';
import { dateInIndia } from '#domain/shared/time.ts';
import { hsn, taxRate } from '#domain/tax/rates.ts';
import { ratesOn, tax } from '#domain/tax/tax.ts';
import { add, details, oudSaffronMajlis, remove, revise } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { openLogger } from '../platform/logger.ts';
import { startProjections } from '../composition/background-work.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { TAX } from '../tax/todays-rates.ts';
import { orderEvents, ordering, sameBrowser, type OrderingBrowser } from './testing/ordering.ts';

const KEWRA = 'kewra';
const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

/** This shop handles the shoppers' requests. Its projections do not run, so its catalogue stays as it was when the products were added. */
const shop = await openShopForFile();
/** This second process changes the products. */
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
let at: OrderingBrowser;

/** Executes these commands on Kewra in the other process; resolves when they are in the log. */
const changeKewra = async (...commands: readonly ProductCommand[]): Promise<void> => {
  for (const command of commands) await other.execute(product, `product-${KEWRA}`, command, byAdmin());
};

beforeEach(async () => {
  const projections = startProjections(shop, openLogger('silent'));
  if ((await shop.store.read(`product-${KEWRA}`)).events.length === 0) {
    await change([shop, other], KEWRA, add({ details: details({ name: 'Kewra' }), price: paise(1_000_00) }));
    await change([shop, other], oudSaffronMajlis, add());
  }
  await change([shop, other], KEWRA, revise({ price: paise(1_000_00), inStock: true }));
  await projections.close();
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis });
  await at.add({ _id: KEWRA, quantity: 2 });
});

describe('orders are checked against the products and tax rates in the log, however old the catalogue is:', () => {
  const changes: readonly (readonly [string, readonly ProductCommand[], string])[] = [
    ['another price', [revise({ price: paise(1_250_00) })], 'Kewra now costs ₹1,250.00 instead of ₹1,000.00'],
    ['sold out', [revise({ inStock: false })], 'Kewra is no longer available'],
    ['no price any more', [revise({ price: paise(0) })], 'Kewra is no longer available'],
  ];

  test.each(changes)('%s since checkout is refused with its message and not charged', async (_, commands, sentence) => {
    const { order } = await at.create();
    const before = await shop.store.head(['order']);
    await changeKewra(...commands);
    expect(await at.place(order._id)).toMatchObject({ status: 409, body: { code: 'offer_changed', errors: { [KEWRA]: sentence } } });
    expect(await orderEvents(shop, before)).toEqual([]);
  });

  test('an order that is decided again after a conflict is checked against the prices at that time', async () => {
    const { order } = await at.create();
    const append = shop.store.append.bind(shop.store);
    const appending = vi.spyOn(shop.store, 'append').mockImplementationOnce(async (stream, ...asked) => {
      await changeKewra(revise({ price: paise(1_250_00) }));
      await other.execute(orderDecider, stream, { type: 'AbandonPlacing', now: other.now() }, byAdmin());
      return append(stream, ...asked);
    });
    expect(await at.place(order._id)).toMatchObject({ status: 409, body: { code: 'offer_changed' } });
    appending.mockRestore();
  });

  test('a draft revised by another process is checked by its current lines', async () => {
    const { order } = await at.create();
    await changeKewra(revise({ price: paise(1_250_00) }));
    const elsewhere = sameBrowser(at, other);
    expect((await elsewhere.create()).order._id).toBe(order._id);
    expect((await at.place(order._id)).status).toBe(200);
  });

  test('taxed at the rate of the day, also in a process that has not heard of it yet', async () => {
    const today = vi.spyOn(shop.rates, 'today').mockReturnValue(ratesOn(tax.initial, dateInIndia(shop.now())));
    const rule = { hsn: hsn('3303'), rate: taxRate(12), from: dateInIndia(other.now()) };
    await other.execute(tax, TAX, { type: 'SetTaxRate', ...rule, now: other.now() }, byAdmin());
    const { order } = await at.create();
    expect(order.tax).toBe(order.subtotal * 0.12);
    today.mockRestore();
  });

  test('a withdrawn product can be neither placed nor checked out', async () => {
    const { order } = await at.create();
    await changeKewra(remove());
    const sentence = 'Kewra is no longer available';
    expect(await at.place(order._id)).toMatchObject({ status: 409, body: { code: 'offer_changed', errors: { [KEWRA]: sentence } } });
    expect(await at.create()).toMatchObject({
      status: 409,
      body: { message: 'Some items are no longer available', errors: { [KEWRA]: sentence } },
    });
  });
});
