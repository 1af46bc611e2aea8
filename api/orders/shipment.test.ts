import { describe, expect, test } from 'vitest';

import { NOT_A_LINK } from '#domain/order/shipment-texts.ts';
import { parcel } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { admin, ordering, signedInAs } from './testing/ordering.ts';

const shop = await openShopForFile({ people: { admin }, projecting: true });
await change([shop], oudSaffronMajlis, add());
const staff = await signedInAs(shop, admin);
const at = ordering(shop);

const put = (id: string, what: string, body: object) => staff.send('PUT', `/api/admin/order/${id}/${what}`, { body });
const ship = (id: string, body: object) => put(id, 'status', { status: 'shipped', ...body });
const shippedAt = expect.stringMatching(/^\d{4}-.*Z$/);

const confirmed = async (): Promise<string> => {
  const { _id } = await at.buy();
  await staff.move(_id, 'confirmed');
  return _id;
};

describe('shipping', () => {
  test('takes courier, number and link, which its shopper sees, and which are corrected while it is on its way', async () => {
    const id = await confirmed();
    const typed = { courier: ' Blue Dart ', trackingNumber: 'BD4711', trackingUrl: parcel.trackingUrl };
    expect(await ship(id, typed)).toMatchObject({ status: 200, body: { shipment: { ...parcel, shippedAt }, mailProblem: null } });
    const before = await shop.store.head(['order']);
    expect(await put(id, 'shipment', parcel)).toMatchObject({ status: 200, body: { shipment: parcel } });
    expect(await shop.store.head(['order'])).toBe(before);

    const corrected = { courier: 'DTDC', trackingNumber: '', trackingUrl: '' };
    expect(await put(id, 'shipment', { courier: 'DTDC', trackingUrl: null })).toMatchObject({ status: 200, body: { shipment: corrected } });
    expect((await at.order(id)).order).toMatchObject({ status: 'shipped', shipment: { ...corrected, shippedAt } });
    const rows = (await staff.get('/api/admin/orders')).body as { orders: { _id: string }[] };
    expect(rows.orders.find(({ _id }) => _id === id)).toMatchObject({ shipment: corrected });

    await staff.move(id, 'delivered');
    expect(await put(id, 'shipment', parcel)).toMatchObject({ status: 409, body: { code: 'not_on_its_way' } });
    expect(await put('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4', 'shipment', parcel)).toMatchObject({ status: 404 });
  });

  test.each([
    [{ courier: 'x'.repeat(101) }, { courier: 'Please use at most 100 characters' }],
    [{ trackingNumber: 'x'.repeat(101) }, { trackingNumber: 'Please use at most 100 characters' }],
    [{ trackingUrl: `https://a.example/${'x'.repeat(2_000)}` }, { trackingUrl: 'Please use at most 2000 characters' }],
    [{ trackingUrl: 'javascript:alert(1)' }, { trackingUrl: NOT_A_LINK }],
    [{ trackingUrl: 'https://bluedart.com@evil.example' }, { trackingUrl: NOT_A_LINK }],
    [{ trackingUrl: 'https://a.example:x/' }, { trackingUrl: NOT_A_LINK }],
    [{ trackingUrl: 7 }, { trackingUrl: 'Must be text' }],
    [{ courier: 'Blue\nDart' }, { courier: 'Please use letters, digits and signs only' }],
  ])('with %j is refused and changes nothing', async (wrong, errors) => {
    const id = await confirmed();
    expect(await ship(id, wrong)).toMatchObject({ status: 400, body: { errors } });
    await ship(id, parcel);
    expect(await put(id, 'shipment', wrong)).toMatchObject({ status: 400, body: { errors } });
    expect((await at.order(id)).order.shipment).toMatchObject(parcel);
  });
});

test('a confirmed order is marked as packed, and the mark is taken back', async () => {
  const id = await confirmed();
  for (const [packed, packedAt] of [
    [true, shippedAt],
    [true, shippedAt],
    [false, null],
    [true, shippedAt],
  ] as const)
    expect(await put(id, 'packed', { packed })).toMatchObject({ status: 200, body: { status: 'confirmed', packedAt, mailProblem: null } });
  expect(await put(id, 'packed', { packed: 'yes' })).toMatchObject({ status: 400 });
  await ship(id, {});
  expect(await put(id, 'packed', { packed: false })).toMatchObject({ status: 409, body: { code: 'not_to_pack' } });
});
