import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { nameTable } from '#projections/engine/table-set.ts';
import { stats } from '#projections/stats/projector.ts';
import { cart } from '#domain/cart/cart.ts';
import { NO_STREAM, START } from '#domain/event-store.ts';
import { orderNumber, shopperId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { order as orders } from '#domain/order/order.ts';
import type { OrderView } from '#domain/order/view.ts';
import { addItem } from '#domain/testing/carts.ts';
import { place } from '#domain/testing/orders.ts';
import { invoice } from '#domain/testing/tax-documents.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';
import { readModels } from '#projections/read-models.ts';

import { change } from '../../cart/testing/shopping.ts';
import { ordering } from '../../orders/testing/ordering.ts';
import { checkOutCart, toOrder } from '../../orders/testing/placing.ts';
import { copyDatabase } from '../../testing/database-per-test.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { seededRandom } from '../journeys/seeded-random.ts';
import { judge, listDifferences } from './invariants.ts';
import { probeOthers } from '../journeys/shopper.ts';
import { mailsAreUnique } from '../journeys/verdicts.ts';
import { Visitor } from './visitor.ts';
import { noAnswersYet, type RecordedAnswers } from '../journeys/recorded-answers.ts';

let shop: TestShop;
let recorded: RecordedAnswers;
let order: OrderView;
let link: string;

/** Waits until read models and reactions have reached the end of the log. */
const rest = async (): Promise<void> => {
  const head = await shop.store.head(['order']);
  for (const { name } of readModels.filter(({ categories }) => categories.includes('order')))
    await shop.progress.waitFor(name, head, 20_000);
  await vi.waitFor(
    async () => {
      const { rowCount } = await shop.pool.query(`select from shop.reactions where position >= $1 and name <> 'payment-mails'`, [
        String(head),
      ]);
      // The other reaction does not follow orders.
      expect(rowCount).toBe(6);
    },
    { timeout: 20_000 },
  );
};

const everything = { projecting: true, reacting: true };

/** Opens a shop with an order that the read models and reactions have handled. */
const openShop = async (method: 'COD' | 'Prepaid'): Promise<void> => {
  shop = await openTestShop(everything);
  await change([shop], oudSaffronMajlis, add());
  const at = ordering(shop);
  order = await at.buy({}, method);
  if (method === 'Prepaid') {
    link = await at.payLink(order._id);
    await shop.payments.testGateway?.pay(link);
  }
  await rest();
};

/** Before each test, opens a shop on a copy of the database of such a shop. */
const openCopies = (method: 'COD' | 'Prepaid', parts: Partial<typeof everything>): void => {
  let databaseUrl: string;
  beforeAll(async () => {
    await openShop(method);
    ({ databaseUrl } = shop);
    await shop.close();
  });
  beforeEach(async () => {
    shop = await openTestShop({ databaseUrl: await copyDatabase(databaseUrl), ...parts });
    recorded = whatWasTold();
  });
  afterEach(() => shop.close());
};

const whatWasTold = (): RecordedAnswers => {
  const told = noAnswersYet();
  told.placed.set(order._id, { order, shopper: 0 });
  told.asked.add(order._id);
  told.moved.push({ id: order._id, status: 'pending' });
  return told;
};

const brokenIn = async (answers: readonly string[], compare: typeof listDifferences): Promise<readonly string[]> => {
  const links = (await shop.payments.testGateway?.core.links.newest(100)) ?? [];
  const { verdicts } = await judge(shop, recorded, { url: shop.databaseUrl, quietAt: shop.now(), answers, links }, compare);
  return verdicts.filter((verdict) => verdict.broken.length > 0).map(({ invariant }) => invariant);
};
/** Takes the rows of the read models for those of a rebuild, which takes most of the time. */
const broken = (...answers: readonly string[]) => brokenIn(answers, async () => []);
const brokenWithRows = () => brokenIn([], listDifferences);

const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } }) as const;

describe('the drill checks answers to shoppers and staff and reports', () => {
  beforeAll(() => openShop('COD'));
  afterAll(() => shop.close());
  beforeEach(() => {
    recorded = whatWasTold();
  });

  test('nothing when everything is correct', async () => expect(await brokenWithRows()).toEqual([]));

  test('a confirmed order that is not in the log', async () => {
    recorded.placed.set('gone', { order, shopper: 1 });
    expect(await broken()).toEqual([expect.stringMatching(/^every success that was answered/)]);
  });

  test('an order confirmed with another total', async () => {
    recorded.placed.set(order._id, { order: { ...order, total: order.total + 1 }, shopper: 0 });
    expect(await broken()).toEqual([expect.stringMatching(/^every success that was answered/)]);
  });

  test('a confirmed cart line that was never added', async () => {
    recorded.additions.set('gone', { isCovered: true, isAnswered: true });
    expect(await broken()).toEqual([expect.stringMatching(/^every success that was answered/)]);
  });

  test('a status change confirmed to staff that is not in the log', async () => {
    recorded.moved.push({ id: order._id, status: 'shipped' });
    expect(await broken()).toEqual([expect.stringMatching(/^every order step confirmed/)]);
  });

  test('an order that no shopper asked for', async () => {
    recorded.placed.clear();
    recorded.asked.clear();
    expect(await broken()).toEqual([expect.stringMatching(/^one order for each cart version checked out/)]);
  });

  test('personal data of an erased guest in a table', async () => {
    const left = 'left without a key';
    await shop.pool.query(`insert into shop.outbox (cause, state, next_attempt_at, created_at) values ($1, 'sent', now(), now())`, [left]);
    recorded.erased.push({ order: order._id, texts: [left] });
    expect(await broken()).toEqual([expect.stringMatching(/^no personal text of erased guests/)]);
    await shop.pool.query('delete from shop.outbox where cause = $1', [left]);
    expect(await broken()).toEqual([]);
  });

  test('personal data of an erased guest in an answer to staff', async () => {
    recorded.erased.push({ order: order._id, texts: ['17 Nowhere Lane'] });
    expect(await broken('{"name":"erased"}')).toEqual([]);
    expect(await broken('{"address1":"17 Nowhere Lane"}')).toEqual([expect.stringMatching(/^no personal text of erased guests/)]);
  });

  test('a request that got two different answers', async () => {
    recorded.differing.push('It was');
    expect(await broken()).toEqual([expect.stringMatching(/^a request that came more than once/)]);
  });
});

describe('the drill checks the log and the tables and reports', () => {
  openCopies('COD', {});

  /** Opens the shop again with what follows the log. */
  const runEverything = async (): Promise<void> => {
    const { databaseUrl } = shop;
    await shop.close();
    shop = await openTestShop({ databaseUrl, ...everything });
  };

  test('a repeated request that was executed twice', async () => {
    recorded.additions.set('r', { isCovered: true, isAnswered: true });
    for (const now of [shop.now(), shop.now()])
      await shop.execute(cart, 'cart-somebody', addItem({ offers: shop.catalogue.offers, now }), metadata());
    expect(await broken()).toEqual([expect.stringMatching(/^a request that came more than once/)]);
  });

  test('a second order created by checking out the same cart version', async () => {
    await runEverything();
    await checkOutCart(shop, 'somebody');
    await rest();
    expect(await broken()).toEqual([expect.stringMatching(/^one order for each cart version checked out/)]);
  });

  test('two orders with the same number', async () => {
    await runEverything();
    const other = await checkOutCart(shop, 'somebody');
    const number = orderNumber(order.orderNumber ?? '');
    await toOrder(shop, other.id, place({ by: shopperId('somebody'), number, now: shop.now() }));
    await rest();
    expect(await broken()).toContainEqual(expect.stringMatching(/^no two orders share a number/));
  });

  test('a missing confirmation', async () => {
    await shop.pool.query(`delete from shop.outbox where cause like 'order-placed:%'`);
    expect(await broken()).toEqual([expect.stringMatching(/^one confirmation/)]);
  });

  test('a confirmation of an order that was never placed', async () => {
    await shop.pool.query(
      `insert into shop.outbox (cause, state, next_attempt_at, created_at) values ('order-placed:none', 'sent', now(), now())`,
    );
    expect(await broken()).toEqual([expect.stringMatching(/^one confirmation/)]);
  });

  test('an altered event', async () => {
    await shop.pool.query(`update log.events set data = '{}' where position = 1`);
    expect(await broken()).toContainEqual(expect.stringMatching(/^every chain is intact/));
  });

  test('an invoice of an order that did not ship', async () => {
    await shop.store.append('invoices-2026-2027', NO_STREAM, [invoice()], metadata());
    expect(await broken()).toContainEqual(expect.stringMatching(/^each order that shipped has one invoice/));
  });

  test('a dashboard figure that counts an order twice', async () => {
    await shop.read.pool.query(`update ${nameTable(stats, 'stats_ever')} set orders = 2 * orders, sales = 2 * sales`);
    const found = await brokenWithRows();
    expect(found).toContainEqual(expect.stringMatching(/^the figures are what the orders come to/));
    expect(found).toContainEqual(expect.stringMatching(/^no event was applied twice or skipped/));
  });

  test('a missing row of a read model', async () => {
    const { rows } = await shop.read.pool.query<{ name: string }>(
      `select 'read.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'read' and c.relkind = 'r' and c.relname like 'my\\_orders%\\_v%' order by 1`,
    );
    for (const { name } of rows) await shop.read.pool.query(`delete from ${name}`);
    expect(await brokenWithRows()).toEqual([expect.stringMatching(/^no event was applied twice or skipped/)]);
  });

  test('an order that another shopper can see', async () => {
    await runEverything();
    const random = seededRandom(1);
    const at = new Visitor(() => [shop.url], random.oneOf);
    await at.ask({ method: 'POST', path: '/api/cart/add-to-cart', body: { _id: oudSaffronMajlis } });
    await probeOthers({ number: 1, at, random, recorded });
    expect(await broken()).toEqual([]);

    const [thief] = (await shop.store.page(START, 100, ['cart'])).map(({ stream }) => shopperId(stream.slice('cart-'.length))).toReversed();
    const { state } = await shop.load(orders, `order-${order._id}`);
    if (state.status === 'none' || !thief) throw new Error('Nobody ordered');
    await toOrder(shop, order._id, { type: 'ClaimOrder', from: state.shopper, by: thief, now: shop.now() });
    await probeOthers({ number: 1, at, random, recorded });
    await rest();
    expect(await broken()).toEqual([expect.stringMatching(/^no shopper saw or was given/)]);
  });
});

describe('the drill checks payments and reports', () => {
  const gateway = () => shop.payments.testGateway;
  openCopies('Prepaid', everything);

  test('nothing about a paid order', async () => expect(await brokenWithRows()).toEqual([]));

  test('a payment that is not in the log', async () => {
    await gateway()?.pay(link, { webhook: 'never' });
    expect(await broken()).toEqual([expect.stringMatching(/^all money that the gateway took is booked/)]);
  });

  test('a second payment that was not refunded', async () => {
    gateway()?.refuseRefunds(1);
    await gateway()?.pay(link);
    expect(await broken()).toEqual([
      expect.stringMatching(/^every refund is made at the gateway/),
      expect.stringMatching(/^the shop keeps what an order costs/),
    ]);
  });

  test('a refund that is not in the log', async () => {
    const payment = (await gateway()?.link(link))?.payments[0]?.id ?? '';
    await gateway()?.refund({ payment, amount: paise(100), reference: randomUUID() });
    expect(await broken()).toEqual([expect.stringMatching(/^every refund is made at the gateway/)]);
  });

  test('a mail that was sent twice', async () => {
    const causes = ['order-paid:1', 'order-shipped:1', 'order-refunded:1:a', 'order-refunded:1:b'];
    expect(mailsAreUnique(causes).broken).toEqual([]);
    expect(mailsAreUnique([...causes, 'order-paid:1']).broken).toEqual(['order-paid:1 was mailed twice']);
  });
});
