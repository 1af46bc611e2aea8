import { describe, expect, test } from 'vitest';

import { home } from '#domain/testing/orders.ts';

import { browser, type Browser } from '../testing/browser.ts';
import { signedUp } from '../../orders/testing/ordering.ts';
import { findTablesWith } from '../../erasure/testing/person.ts';
import { openShopForFile } from '../../testing/test-shop.ts';
import { MOST_ADDRESSES, type AddressView } from './addresses.ts';

const shop = await openShopForFile();

const URL = '/api/user/addresses';
let people = 0;
const signedIn = () => signedUp(shop, `shopper-${++people}@example.com`);
const add = async (at: Browser, changes: object = {}): Promise<AddressView> => {
  const { status, body } = await at.post(URL, { ...home, ...changes });
  expect(status).toBe(201);
  return body as AddressView;
};
const list = async (at: Browser) => ((await at.get(URL)).body as { addresses: AddressView[] }).addresses;
const put = (at: Browser, id: string, body: object) => at.send('PUT', `${URL}/${id}`, { body });
const remove = (at: Browser, id: string) => at.send('DELETE', `${URL}/${id}`);
const named = (addresses: readonly AddressView[]) => addresses.map(({ name, isDefault }) => [name, isDefault]);
const MISSING = { status: 404, body: { code: 'address_not_found', message: 'Address not found' } };

describe('the addresses of a user', () => {
  test('are kept as typed, tidied, with the first as the default, until another is', async () => {
    const at = await signedIn();
    const one = await add(at, { name: '  Meera   Nair ', address2: null });
    expect(one).toEqual({ ...home, _id: one._id, name: 'Meera Nair', address2: '', isDefault: true });
    const two = await add(at, { name: 'Amma', email: '' });
    const three = await add(at, { name: 'Office', isDefault: true });
    expect(named(await list(at))).toEqual([
      ['Office', true],
      ['Amma', false],
      ['Meera Nair', false],
    ]);
    expect(await put(at, two._id, { ...home, name: 'Mother', isDefault: true })).toMatchObject({
      status: 200,
      body: { _id: two._id, name: 'Mother', isDefault: true },
    });
    expect((await put(at, two._id, { ...home, name: 'Mother' })).body).toMatchObject({ isDefault: true });
    expect(named(await list(at))).toEqual([
      ['Mother', true],
      ['Office', false],
      ['Meera Nair', false],
    ]);
    expect((await remove(at, two._id)).status).toBe(200);
    expect(named(await list(at))).toEqual([
      ['Office', true],
      ['Meera Nair', false],
    ]);
    expect((await remove(at, one._id)).status).toBe(200);
    expect(named(await list(at))).toEqual([['Office', true]]);
    await remove(at, three._id);
    expect(await list(at)).toEqual([]);
    expect((await add(at)).isDefault).toBe(true);
  });

  test('are refused field by field, and need no e-mail but a right one', async () => {
    const at = await signedIn();
    const refused = await at.post(URL, { ...home, name: ' ', city: 'x'.repeat(101), email: 'nobody' });
    const errors = { name: 'Required', city: 'At most 100 characters', email: expect.any(String) };
    expect(refused).toMatchObject({ status: 400, body: { message: expect.any(String), errors } });
    expect((await at.post(URL, { ...home, isDefault: 'yes' })).status).toBe(400);
    const { _id } = await add(at);
    expect(await put(at, _id, {})).toMatchObject({ status: 400, body: { errors: { address1: 'Required' } } });
    expect(named(await list(at))).toEqual([[home.name, true]]);
  });

  test('are theirs alone', async () => {
    const [at, other] = [await signedIn(), await signedIn()];
    const { _id } = await add(at);
    for (const id of [_id, _id.toUpperCase(), 'x'])
      for (const { status, body } of [await put(other, id, home), await remove(other, id)]) expect({ status, body }).toEqual(MISSING);
    expect(await list(other)).toEqual([]);
    expect(named(await list(at))).toEqual([[home.name, true]]);
    const nobody = browser(shop.url);
    for (const { status } of [await nobody.get(URL), await nobody.post(URL, home), await put(nobody, _id, home), await remove(nobody, _id)])
      expect(status).toBe(401);
  });

  test('are twenty at most, with one default, however many are added at once', async () => {
    const at = await signedIn();
    const added = await Promise.all(
      Array.from({ length: 30 }, (_, n) => at.post(URL, { ...home, name: `Home ${n}`, isDefault: n % 2 === 0 })),
    );
    expect(added.filter(({ status }) => status === 201)).toHaveLength(MOST_ADDRESSES);
    const refused = added.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) expect([status, body]).toMatchObject([409, { code: 'addresses_full' }]);
    expect((await list(at)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    expect(await list(at)).toHaveLength(MOST_ADDRESSES);
  });

  test('are encrypted in the table', async () => {
    await add(await signedIn(), { address1: '17 Hidden Lane' });
    expect(await findTablesWith(shop.databaseUrl, ['17 Hidden Lane'])).toEqual([]);
  });
});
