import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';

import { paise } from '#domain/shared/money.ts';
import { orderId, productId, type ProductId } from '#domain/shared/ids.ts';
import { product, type ProductCommand } from '#domain/product/product.ts';
import { stock, type StockCommand, stockStream } from '#domain/stock/stock.ts';
import { noon } from '#domain/testing/carts.ts';
import { add, revise } from '#domain/testing/products.ts';

import { ordering } from '../orders/testing/ordering.ts';
import { emailAddress } from '../platform/email-address.ts';
import { openShopForFile, openTestShop } from '../testing/test-shop.ts';
import { createRestockNotices } from './restock-notices.ts';

let id: ProductId;
let count = 0;

let shop = await openShopForFile({ projecting: true, reacting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl, reacting: true });
beforeEach(async () => {
  id = productId(`perfume-${++count}`);
  await toProduct(add());
});

const metadata = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'test' } }) as const;
const toProduct = (command: ProductCommand) => shop.execute(product, `product-${id}`, command, metadata());
const toStock = (command: StockCommand) => shop.execute(stock, stockStream(id), command, metadata());
const counts = (quantity: number) => toStock({ type: 'CountStock', quantity, now: noon });
const receives = (quantity: number) => toStock({ type: 'ReceiveStock', quantity, now: noon });
const removes = (quantity: number) => toStock({ type: 'RemoveStock', quantity, reason: 'Broken', now: noon });
const setInStock = (inStock: boolean) => toProduct(revise({ inStock }));

const addressOf = (name: string) => emailAddress(`${name}@example.com`) ?? expect.fail(name);
const db = () => shop.db;
const NAMES = ['asha', 'bina', 'chitra', 'devi', 'esha', 'farah', 'gita', 'hema'];
const asked = new Map<string, string>();
const rows = async () => {
  const sealed = db().selectFrom('restock_notices').select(['id', 'subject', 'personal']).where('product_id', '=', id).orderBy('id');
  return shop.sealed.openAll('restock_notices', await sealed.execute());
};
/** Asks for notices in this order. */
const ask = async (...names: string[]): Promise<void> => {
  for (const name of names) {
    await shop.people.restock.notices.ask(id, addressOf(name));
    for (const row of await rows()) asked.set(`back-in-stock:${row.id}`, row.email.split('@')[0] ?? '');
  }
};
const waiting = async (): Promise<string[]> => (await rows()).map(({ email }) => email.split('@')[0] ?? '');

let seen = '0';
beforeEach(async () => {
  const { rows } = await shop.pool.query<{ last: string }>(`select coalesce(max(number), 0)::text as last from shop.outbox`);
  seen = rows[0]?.last ?? '0';
});
/** Returns who got a mail since the test began, in the order of the mails, once both reactions have handled everything. */
const told = async (): Promise<string[]> => {
  const head = await shop.store.head(['product', 'stock']);
  const place = async () => {
    const row = await db().selectFrom('reactions').select('position').where('name', '=', 'restock-notices').executeTakeFirst();
    return BigInt(row?.position ?? 0) >= head;
  };
  await expect.poll(place).toBe(true);
  return mailed();
};
const mailed = async (): Promise<string[]> => {
  const mails = db().selectFrom('outbox').select('cause').where('number', '>', seen).where('cause', 'like', 'back-in-stock:%');
  return (await mails.orderBy('number').execute()).map(({ cause }) => asked.get(cause) ?? cause);
};

const orderFor = async (quantity: number) => {
  const at = ordering(shop);
  expect(await shop.catalogue.waitFor(await shop.store.head(['product', 'stock']), 60_000)).toBe('fresh');
  await at.add({ _id: id, quantity });
  const { order } = await at.create();
  return { at, id: orderId(order._id) };
};

const partsOf = () => ({
  ...shop,
  db: db(),
  outbox: shop.people.outbox,
  now: () => new Date(),
  key: Buffer.alloc(32),
  publicUrl: 'http://shop.example',
});

describe('people who wait for a counted perfume', () => {
  test('get a mail in the order in which they asked, one for each bottle; the rest follow when more arrive', async () => {
    await counts(0);
    await ask('asha', 'bina', 'chitra', 'devi', 'esha');
    await receives(2);
    expect(await told()).toEqual(['asha', 'bina']);
    await receives(2);
    expect(await told()).toEqual(['asha', 'bina', 'chitra', 'devi']);
    await counts(9);
    expect(await told()).toEqual(['asha', 'bina', 'chitra', 'devi', 'esha']);
    expect(await waiting()).toEqual([]);
    expect(await db().selectFrom('restock_levels').select('level').where('product_id', '=', id).execute()).toEqual([]);
  });

  test('get a mail about bottles that arrived while the first of them was asking', async () => {
    await counts(0);
    const load: typeof shop.load = async (decider, stream) => {
      const read = await shop.load(decider, stream);
      if (stream !== stockStream(id) || isReceived) return read;
      isReceived = true;
      await receives(1);
      expect(await told()).toEqual([]);
      return read;
    };
    let isReceived = false;
    await createRestockNotices({ ...partsOf(), load, outbox: shop.people.outbox }).ask(id, addressOf('asha'));
    expect(await mailed()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  test.each(['counted', 'not counted'])('wait while it has no price, and get their mail when it has one: %s', async (how) => {
    await toProduct(revise({ price: paise(0) }));
    await setInStock(false);
    await ask('asha');
    await setInStock(true);
    if (how === 'counted') await counts(2);
    await ask('bina');
    expect(await told()).toEqual([]);
    await toProduct(revise({ price: paise(2_450_00) }));
    expect(await told()).toEqual(['asha', 'bina']);
    expect(await waiting()).toEqual([]);
  });

  test('get one mail, and ask again for another', async () => {
    await counts(0);
    await ask('asha', 'asha', 'bina');
    await receives(1);
    expect(await told()).toEqual(['asha']);
    await removes(1);
    await ask('asha');
    expect(await waiting()).toEqual(['bina', 'asha']);
    await receives(2);
    expect(await told()).toEqual(['asha', 'bina', 'asha']);
  });

  test('get no mail about bottles that are sold already', async () => {
    await counts(0);
    await ask('asha', 'bina');
    // Both events happen before any reaction handles them.
    const release = await holdBack();
    await receives(2);
    await removes(1);
    await release();
    expect(await told()).toEqual(['asha']);
  });

  test('wait, if they asked while it was in stock, until it was sold out and is in stock again', async () => {
    await counts(2);
    await ask('asha');
    await receives(3);
    expect(await told()).toEqual([]);
    await ask('bina');
    await removes(5);
    await ask('chitra');
    expect(await told()).toEqual([]);
    await receives(2);
    expect(await told()).toEqual(['asha', 'bina']);
  });

  test('get a mail, if they asked while it was in stock, even if it was sold out only for a moment', async () => {
    await counts(1);
    await ask('asha');
    const release = await holdBack();
    await removes(1);
    await receives(1);
    await release();
    expect(await told()).toEqual(['asha']);
  });

  test('all get a mail when counting ends and it is in stock, and one for each counted bottle when counting begins', async () => {
    await setInStock(false);
    await ask('asha', 'bina', 'chitra', 'devi');
    await counts(1);
    expect(await told()).toEqual(['asha']);
    await setInStock(true);
    await toStock({ type: 'EndCounting', now: noon });
    expect(await told()).toEqual(['asha', 'bina', 'chitra', 'devi']);
  });
});

describe('at most one mail for each counted bottle is sent when counting', () => {
  test('begins just after the perfume is in stock again', async () => {
    await setInStock(false);
    await ask('asha', 'bina', 'chitra');
    const release = await holdBack();
    await setInStock(true);
    await counts(2);
    await release();
    expect(await told()).toEqual(['asha', 'bina']);
  });

  test.each([true, false])('ends and begins anew just after bottles were received (in stock meanwhile: %s)', async (inStock) => {
    await setInStock(inStock);
    await counts(0);
    await ask('asha', 'bina', 'chitra');
    const release = await holdBack();
    await receives(2);
    await toStock({ type: 'EndCounting', now: noon });
    await counts(2);
    await release();
    expect(await told()).toEqual(['asha', 'bina']);
  });

  test('begins after everybody got a mail: nobody gets another', async () => {
    await setInStock(false);
    await ask('asha');
    await setInStock(true);
    expect(await told()).toEqual(['asha']);
    await ask('bina');
    await counts(2);
    expect(await told()).toEqual(['asha']);
    expect(await waiting()).toEqual(['bina']);
  });
});

/** Keeps every process from sending mails until it is released. */
const holdBack = async (): Promise<() => Promise<void>> => {
  const client = await shop.pool.connect();
  await client.query('begin');
  await client.query('select from shop.restock_levels where product_id = $1 for update', [id]);
  return async () => {
    await client.query('commit');
    client.release();
  };
};

describe('orders', () => {
  test('that are cancelled count as a return to stock', async () => {
    await counts(1);
    const { at, id: placed } = await orderFor(1);
    expect((await at.place(placed)).status).toBe(200);
    await ask('asha', 'bina');
    expect((await at.cancel(placed)).status).toBe(200);
    await expect.poll(async () => (await shop.store.read(stockStream(id))).events.at(-1)?.type).toBe('StockReleased');
    expect(await told()).toEqual(['asha']);
  });

  test('that held bottles without being placed cause no mail, except to people who asked meanwhile', async () => {
    await counts(0);
    await ask('asha', 'bina');
    await receives(1);
    expect(await told()).toEqual(['asha']);
    await ask('chitra');
    for (const late of ['devi', undefined]) {
      const held = orderId(randomUUID());
      await toStock({ type: 'ReserveStock', order: held, quantity: 1, orderRevision: 0, now: noon });
      if (late !== undefined) await ask(late);
      await toStock({ type: 'ReleaseStock', order: held, before: 1, now: noon });
      expect(await told()).toEqual(['asha', 'chitra']);
    }
    expect(await waiting()).toEqual(['bina', 'devi']);
  });

  test.each(['at once', 'later'])('that held bottles about which nobody got a mail yet return them to those who wait, %s', async (when) => {
    await counts(0);
    await ask('asha', 'bina', 'chitra');
    const release = await holdBack();
    await receives(2);
    const held = orderId(randomUUID());
    await toStock({ type: 'ReserveStock', order: held, quantity: 2, orderRevision: 0, now: noon });
    if (when === 'later') {
      await release();
      expect(await told()).toEqual([]);
    }
    await toStock({ type: 'ReleaseStock', order: held, before: 1, now: noon });
    if (when === 'at once') await release();
    expect(await told()).toEqual(['asha', 'bina']);
    expect(await waiting()).toEqual(['chitra']);
  });
});

describe('a perfume that is not counted', () => {
  test('causes a mail to everybody who waits when it is in stock again, in order', async () => {
    await ask('asha');
    await setInStock(false);
    await ask('bina', 'chitra');
    expect(await told()).toEqual([]);
    await setInStock(true);
    expect(await told()).toEqual(['asha', 'bina', 'chitra']);
  });

  test('causes hundreds of mails, one to each person', async () => {
    await setInStock(false);
    await db().insertInto('restock_levels').values({ product_id: id, level: null }).execute();
    await ask('asha');
    const readers = Array.from({ length: 349 }, (_, index) => ({ email: addressOf(`reader-${index}`) }));
    const requests = await Promise.all(readers.map((reader) => shop.sealed.sealByAddress('restock_notices', reader)));
    const waiting_since = -1;
    await db()
      .insertInto('restock_notices')
      .values(requests.map((request) => ({ ...request, product_id: id, waiting_since, created_at: new Date() })))
      .execute();
    await setInStock(true);
    await told();
    await expect.poll(waiting).toEqual([]);
    expect(await mailed()).toHaveLength(350);
  });
});

test('a log that was restored from a backup is followed from its end', async () => {
  await counts(1);
  await ask('asha');
  await removes(1);
  await db()
    .updateTable('restock_levels')
    .set({
      level: JSON.stringify({ productRevision: 0, stockRevision: 99, inStock: true, isCounted: true, onHand: 5, reserved: 0, untold: 5 }),
    })
    .where('product_id', '=', id)
    .execute();
  await ask('bina');
  expect(await told()).toEqual([]);
  await receives(2);
  expect(await told()).toEqual(['asha', 'bina']);
});

describe('each person gets one mail', () => {
  test('however often and in however many processes the event is handled', async () => {
    await counts(0);
    await ask(...NAMES.slice(0, 6));
    const release = await holdBack();
    await receives(4);
    const handled = [shop, other, shop, other, shop, other].map(({ people }) => people.restock.notices.notify(id));
    await release();
    await Promise.all(handled);
    for (const { people } of [shop, other]) await people.restock.notices.notify(id);
    expect(await told()).toEqual(NAMES.slice(0, 4));
  });

  test('when the process dies before or after its mails are committed', async () => {
    const running = shop;
    // In this shop no reaction runs.
    shop = await openTestShop();
    seen = '0';
    await toProduct(add());
    await counts(0);
    await ask('asha', 'bina', 'chitra');
    await receives(2);
    const dying = createRestockNotices({
      ...partsOf(),
      outbox: {
        wake: () => {},
        putAll: async (tx, mails) => {
          await shop.people.outbox.putAll(tx, mails);
          throw new Error('killed');
        },
      },
    });
    await expect(dying.notify(id)).rejects.toThrow('killed');
    expect([await mailed(), await waiting()]).toEqual([[], ['asha', 'bina', 'chitra']]);
    for (let time = 0; time < 3; time++) await createRestockNotices({ ...partsOf(), outbox: shop.people.outbox }).notify(id);
    expect([await mailed(), await waiting()]).toEqual([['asha', 'bina'], ['chitra']]);
    await shop.close();
    shop = running;
  });
});
