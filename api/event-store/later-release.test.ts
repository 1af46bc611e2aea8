import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { EventStore, StreamName } from '#domain/event-store.ts';
import type { ProductView } from '#domain/product/view.ts';
import { laterEvent } from '#domain/testing/later-release.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import type { Browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { openPostgresEventStore } from './postgres/postgres-event-store.ts';
import { codecOfLaterRelease } from './testing/later-codec.ts';
import { admin as ADMIN, ordering, type OrderingBrowser, signedInAs } from '../orders/testing/ordering.ts';
import { isLogInPostgres, openTestShop, type TestShop } from '../testing/test-shop.ts';

let shop: TestShop;
/** A process of a later release, which runs beside this one, writes to this store. */
let later: EventStore;
let admin: Browser;
let at: OrderingBrowser;

beforeAll(async () => {
  shop = await openTestShop({ people: { admin: ADMIN }, projecting: true });
  later = await openPostgresEventStore({ connectionString: shop.databaseUrl, codec: codecOfLaterRelease(shop.keys) });
  await change([shop], oudSaffronMajlis, add());
  admin = await signedInAs(shop, ADMIN);
  at = ordering(shop);
  await at.add({ _id: oudSaffronMajlis, quantity: 2 });
});
afterAll(() => Promise.all([later.close(), shop.close()]));

/** Appends an event of the later release, and waits until the read models here have processed it. */
const happens = async (stream: StreamName, type: string): Promise<void> => {
  const { head } = await later.read(stream);
  const metadata = { commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'system', id: 'later' } } as const;
  const { position } = await later.append(stream, head, [laterEvent(type)], metadata);
  for (const { name, categories } of [
    { name: 'catalogue', categories: ['product'] },
    { name: 'my-orders', categories: ['order'] },
  ])
    if (categories.includes(stream.split('-', 1)[0] ?? '')) expect(await shop.progress.waitFor(name, position, 20_000)).toBe('fresh');
};

const newest = async (category: 'cart' | 'order'): Promise<StreamName> => {
  const event = await shop.store.at(await shop.store.head([category]));
  if (!event) throw new Error(`There is no ${category} yet`);
  return event.stream;
};

const shown = async (): Promise<ProductView> => {
  await shop.catalogue.waitFor(await shop.store.head(['product']), 20_000);
  return (await admin.get(`/api/product/${oudSaffronMajlis}`)).body as ProductView;
};

// Writing as a later release needs SQL.
test.runIf(isLogInPostgres)('a shopper can order although the log has events of a later release', async () => {
  await happens(await newest('cart'), 'CartGiftWrapped');
  expect((await at.cart()).cart.items).toMatchObject([{ productId: oudSaffronMajlis, quantity: 2 }]);
  expect((await at.update(oudSaffronMajlis, { quantity: 3 })).status).toBe(200);

  await happens(`product-${oudSaffronMajlis}`, 'ProductEngraved');
  const { status, order } = await at.create();
  expect(status).toBe(201);
  await happens(await newest('order'), 'OrderEngraved');
  expect(await at.place(order._id)).toMatchObject({ status: 200, order: { status: 'pending', items: [{ quantity: 3 }] } });
  expect((await at.cart()).cart.items).toEqual([]);
});

test.runIf(isLogInPostgres)('an admin can edit the listing after an event of a later release', async () => {
  await happens(`product-${oudSaffronMajlis}`, 'ProductEngraved');
  const before = await shown();
  const edited = await admin.send('PUT', `/api/product/${oudSaffronMajlis}`, {
    body: { tag: 'Limited', expectedRevision: before.revision },
  });
  expect(edited).toMatchObject({ status: 200, body: { tag: 'Limited' } });
  expect(await shown()).toEqual(edited.body);
  await happens(`product-${oudSaffronMajlis}`, 'ProductEngraved');
  const again = await admin.send('PUT', `/api/product/${oudSaffronMajlis}`, {
    body: { tag: '', expectedRevision: (await shown()).revision },
  });
  expect(again.status).toBe(200);
  expect(await shown()).toEqual(again.body);
});
