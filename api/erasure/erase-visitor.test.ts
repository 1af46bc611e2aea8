import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { wrapKey } from '../event-store/encryption/key-encryption.ts';
import { admin, ordering, sameBrowser, signedInAs, type OrderingBrowser } from '../orders/testing/ordering.ts';
import { testKeyring } from '../testing/test-keyring.ts';
import { catchUp, openShopForFile, openShopForTest, type TestShop } from '../testing/test-shop.ts';
import { findDifferences, findTablesWith, join, listTexts, personCalled, type Person } from './testing/person.ts';

const DAY = 24 * 3_600_000;

const shop = await openShopForFile({ people: { admin }, projecting: true });
const other = await openShopForFile({ databaseUrl: shop.databaseUrl });
await change([shop, other], oudSaffronMajlis, add());
const staff = await signedInAs(shop, admin);

const draftOf = async (at: OrderingBrowser, { shipping }: Person): Promise<string> => (await at.draft({ shipping }))._id;
const orderOf = async (at: OrderingBrowser, { shipping }: Person): Promise<string> => (await at.buy({ shipping }))._id;
const delivered = async (id: string): Promise<void> => {
  for (const status of ['confirmed', 'shipped', 'delivered']) expect((await staff.move(id, status)).status).toBe(200);
};

type Created = { readonly shopper: string; readonly shippingAddress: unknown };
const createdOf = async (id: string, { store }: Pick<TestShop, 'store'> = shop): Promise<Created> => {
  const { events } = await store.read(`order-${id}`);
  const [created = expect.fail('no order')] = events;
  return created.data as Created;
};
const addressIn = async (id: string, by?: TestShop): Promise<unknown> => (await createdOf(id, by)).shippingAddress;
const shopperOf = async (id: string): Promise<string> => (await createdOf(id)).shopper;
const damageKey = (subject: string) =>
  shop.pool.query('update shop.subject_keys set key = $2, look_at = to_timestamp(0) where subject = $1', [
    subject,
    Buffer.alloc(60, 'damaged'),
  ]);
const erasures = async (of: TestShop, kind: string, subject: string) => {
  const { rows } = await of.pool.query('select detail from shop.security_log where kind = $1 and subject = $2', [
    kind,
    `visitor:${subject}`,
  ]);
  return rows;
};

describe('a visitor who left a draft and never ordered', () => {
  const gone = personCalled('Wahida');
  const buyer = personCalled('Yasmeen');
  const member = personCalled('Zubeida');
  const back = personCalled('Tahira');
  let drafts: { gone: string; bought: string; member: string; back: string };

  beforeAll(async () => {
    const user = ordering(shop);
    await join(shop, user, member);
    drafts = {
      gone: await draftOf(ordering(shop), gone),
      bought: await orderOf(ordering(shop), buyer),
      member: await draftOf(user, member),
      back: await draftOf(ordering(shop), back),
    };
    await catchUp(shop);
  });

  const lookIn = async (days: number) => {
    const at = new Date(Date.now() + days * DAY);
    await shop.pool.query(`update shop.sessions set seen_at = $1 where visitor_id = $2`, [
      new Date(at.getTime() - 10 * DAY),
      await shopperOf(drafts.back),
    ]);
    await Promise.all([shop.erasing.eraseLapsed(at), other.erasing.eraseLapsed(at)]);
  };

  test('is kept for 29 days', async () => {
    await lookIn(29);
    expect(await addressIn(drafts.gone)).toMatchObject({ name: gone.name });
  });

  test('is erased once after 31 days, in the log and in every table, unless they bought, have an account, or came back', async () => {
    await lookIn(31);
    expect(await addressIn(drafts.gone)).toMatchObject({ name: 'erased' });
    expect(await findTablesWith(shop.databaseUrl, listTexts(gone))).toEqual([]);
    expect(await erasures(shop, 'erased', await shopperOf(drafts.gone))).toHaveLength(1);
    expect(await addressIn(drafts.bought)).toMatchObject({ name: buyer.name });
    expect(await addressIn(drafts.member)).toMatchObject({ name: member.name });
    expect(await addressIn(drafts.back)).toMatchObject({ name: back.name });
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
  });

  test('is erased even if its key is damaged', async () => {
    const draft = await draftOf(ordering(shop), personCalled('Wasima'));
    await damageKey(await shopperOf(draft));
    // Either process may have the key in its cache, and may be the one that erases.
    for (const each of [shop, other]) await expect.poll(() => addressIn(draft, each)).toMatchObject({ name: 'unreadable' });
    await lookIn(31);
    expect(await addressIn(draft)).toMatchObject({ name: 'erased' });
  });

  test('is on the list that erases them again from a restored backup', async () => {
    const list = await readFile(path.join(shop.dataDir, 'erasures.ndjson'), 'utf8');
    expect(list).toContain(await shopperOf(drafts.gone));
    await shop.pool.query('update shop.subject_keys set key = $2, wrapped_by = $3, erased_at = null where subject = $1', [
      await shopperOf(drafts.gone),
      wrapKey(testKeyring.current(), await shopperOf(drafts.gone), Buffer.alloc(32)),
      testKeyring.current().id,
    ]);
    const again = await openShopForTest({ databaseUrl: shop.databaseUrl });
    expect(await again.keys.keysOf([await shopperOf(drafts.gone)])).toEqual(new Map());
  });
});

describe('a guest', () => {
  const guest = personCalled('Safiya');
  let at: OrderingBrowser;
  let id: string;
  beforeEach(async () => {
    at = ordering(shop);
    id = await orderOf(at, guest);
  });
  const erase = (by: OrderingBrowser, order = id) => by.post(`/api/order/erase/${order}`, {});

  test('is not erased while a parcel is on its way, and is told when it will be possible', async () => {
    const waits = await orderOf(at, guest);
    for (const status of ['confirmed', 'shipped']) await staff.move(id, status);
    expect(await erase(at, waits)).toMatchObject({
      status: 409,
      body: { code: 'order_is_open', message: expect.stringMatching(/^Order RH-.+ once it is delivered/) },
    });
    expect(await addressIn(id)).toMatchObject({ name: guest.name });
    expect((await at.order(waits)).order.status).toBe('pending');
  });

  test('is erased with what has not shipped, which is cancelled', async () => {
    const confirmed = await orderOf(at, guest);
    await staff.move(confirmed, 'confirmed');
    expect((await erase(at)).status).toBe(200);
    for (const order of [id, confirmed])
      expect((await staff.order(order)).order).toMatchObject({ status: 'cancelled', shippingAddress: { name: 'erased' } });
  });

  test('is erased once the order is delivered: in the log, at the desk, and for this browser, which then has no orders', async () => {
    await delivered(id);
    const draft = await draftOf(at, guest);
    expect(await erase(at)).toMatchObject({ status: 200, body: { message: 'Your personal data are erased' } });
    for (const order of [id, draft]) expect(await addressIn(order)).toMatchObject({ name: 'erased', address1: 'erased' });
    expect((await at.order(id)).status).toBe(404);
    expect((await staff.order(id)).order).toMatchObject({ status: 'delivered', shippingAddress: { name: 'erased' } });
    expect(await erasures(shop, 'erasure_asked', await shopperOf(id))).toEqual([{ detail: { by: 'guest' } }]);
    expect(await erasures(shop, 'erased', await shopperOf(id))).toHaveLength(1);
    await catchUp(shop);
    expect(await findDifferences(shop)).toEqual([]);
    // The browser gets a new visitor id.
    expect((await at.order(await orderOf(at, guest))).order.shippingAddress).toMatchObject({ name: guest.name });
  });

  test('cannot be erased by other shoppers', async () => {
    await at.cancel(id);
    expect((await erase(ordering(shop))).status).toBe(404);
    const stranger = ordering(shop);
    await orderOf(stranger, personCalled('Uzma'));
    expect((await erase(stranger)).status).toBe(404);
    expect((await erase(staff)).status).toBe(404);
    expect(await addressIn(id)).toMatchObject({ name: guest.name });
  });

  test('is shown as a guest at the desk until the order belongs to an account', async () => {
    const isGuests = async (order: string): Promise<unknown> => {
      await catchUp(shop);
      const { body } = await staff.get('/api/admin/orders?limit=200');
      return (body as { orders: { _id: string; guest: unknown }[] }).orders.find(({ _id }) => _id === order)?.guest;
    };
    expect(await isGuests(id)).toBe(true);
    await staff.move(id, 'confirmed');
    expect(await isGuests(id)).toBe(true);
    await join(shop, at, personCalled('Nafisa'));
    await expect.poll(() => isGuests(id)).toBe(false);
    expect(await isGuests(await orderOf(at, personCalled('Nafisa')))).toBe(false);
  });

  test('is not erased if the order belongs to an account', async () => {
    const user = ordering(shop);
    await join(shop, user, personCalled('Parveen'));
    const theirs = await orderOf(user, personCalled('Parveen'));
    await user.cancel(theirs);
    expect(await erase(user, theirs)).toMatchObject({ status: 409, body: { code: 'has_account' } });
    expect(await addressIn(theirs)).toMatchObject({ name: 'Parveen Quraishi' });
  });
});

test('an order whose key is damaged can be read, and its personal texts are unreadable', async () => {
  const shopper = ordering(shop);
  const { _id } = await shopper.buy({ shipping: personCalled('Warda').shipping });
  await damageKey(await shopperOf(_id));
  await expect.poll(() => addressIn(_id, other)).toMatchObject({ name: 'unreadable' });
  const [hers, desk] = [sameBrowser(shopper, other), sameBrowser(staff, other)];
  const lost = { name: 'unreadable', email: 'unreadable', address2: '' };
  expect(await hers.get(`/api/order/get-order/${_id}`)).toMatchObject({ status: 200, body: { shippingAddress: lost } });
  expect((await desk.get(`/api/admin/order/${_id}/packing-slip.pdf`)).status).toBe(200);
  expect((await desk.get(`/api/audit/orders/${_id}`)).status).toBe(200);
});
