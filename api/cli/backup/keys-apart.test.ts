import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { PASSWORD } from '../../accounts/testing/people.ts';
import { change } from '../../cart/testing/shopping.ts';
import { backupCommand, restoreCommand } from '../backup-commands.ts';
import { join, personCalled, findTablesWith, listTexts, withHistory, type Person } from '../../erasure/testing/person.ts';
import { admin, auditor, ordering, sameBrowser, signedInAs, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { testKeyring } from '../../testing/test-keyring.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';

let said: string[] = [];
const out = (line: string): void => void said.push(line);
const inHome = (name: string): string => path.join(home, name);
const deps = (databaseUrl: string, known = [testKeyring.current().id]) => ({
  postgres: async () => databaseUrl,
  knownKeys: async () => new Set(known),
  out,
});

const gul = personCalled('Gulnar');
const stays = personCalled('Nasreen');
const goes = personCalled('Rukhsana');

const orderOf = async (at: OrderingBrowser, { shipping }: Person): Promise<string> => (await at.buy({ shipping }))._id;

const openAt = (databaseUrl: string, reacting = false): Promise<TestShop> =>
  openTestShop({ databaseUrl, people: { admin, auditor, dataDir: inHome('data') }, projecting: true, reacting });

const home = await mkdtemp(path.join(tmpdir(), 'ruhani-keys-apart-'));
/** The shop has a guest with one order, and two users with a history. */
const shop = await openAt(await freshDatabase(), true);
await change([shop], oudSaffronMajlis, add());
const guest = ordering(shop);
const guestOrder = await orderOf(guest, gul);
const going = await withHistory(shop, goes, oudSaffronMajlis);
const staying = await withHistory(shop, stays, oudSaffronMajlis);
const { rows } = await shop.pool.query<{ subject: string; key: Buffer }>('select subject, key from shop.subject_keys');
/** The test looks for all keys, raw and wrapped. */
const raw = [...(await shop.keys.keysOf(rows.map(({ subject }) => subject))).values()].map(({ bytes }) => bytes);
const wrapped = rows.map(({ key }) => key);
expect(await backupCommand([inHome('log'), '--keys', inHome('keys')], deps(shop.databaseUrl))).toBe(0);
expect((await going.at.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
afterAll(async () => {
  await shop.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => {
  said = [];
});

const filesIn = async (directory: string): Promise<readonly Buffer[]> => {
  const files = await Promise.all(
    (await readdir(directory)).map(async (name) => ({ name, bytes: await readFile(path.join(directory, name)) })),
  );
  return files.map(({ name, bytes }) => (name.endsWith('.gz') ? gunzipSync(bytes) : bytes));
};

/** Counts how many of these keys the directory contains, in any encoding. */
const keysFound = async (directory: string, keys: readonly Buffer[]): Promise<number> => {
  const files = await filesIn(directory);
  const forms = (key: Buffer) => [key, ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(key.toString(form)))];
  return keys.filter((key) => forms(key).some((form) => files.some((file) => file.includes(form)))).length;
};

test('the backup of the log contains no key, and the backup of the keys contains them wrapped', async () => {
  expect(wrapped.length).toBeGreaterThan(3);
  expect(await keysFound(inHome('log'), [...raw, ...wrapped])).toBe(0);
  expect(await keysFound(inHome('keys'), raw)).toBe(0);
  expect(await keysFound(inHome('keys'), wrapped)).toBe(wrapped.length);
});

describe('a backup restored with its keys', () => {
  let again: TestShop;
  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    expect(await restoreCommand([inHome('log'), '--keys', inHome('keys')], deps(databaseUrl))).toBe(0);
    again = await openAt(databaseUrl);
  });
  afterAll(() => again.close());

  test('shows everybody their orders as they were', async () => {
    expect((await sameBrowser(guest, again).order(guestOrder)).order.shippingAddress).toMatchObject({ name: gul.name });
  });

  test('does not bring back a user who was erased after the backup', async () => {
    expect(await findTablesWith(again.databaseUrl, listTexts(goes))).toEqual([]);
    const { rows } = await again.pool.query('select key from shop.subject_keys where subject = $1', [going.user]);
    expect(rows).toEqual([{ key: null }]);
    const { events } = await again.store.read(`order-${going.orders[0] ?? ''}`);
    expect(events[0]?.data).toMatchObject({ shippingAddress: { name: 'erased' } });
  });
});

describe('a backup restored without its keys', () => {
  let again: TestShop;
  let staff: OrderingBrowser;
  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    expect(await restoreCommand([inHome('log')], deps(databaseUrl))).toBe(0);
    expect(said).toContain('Restored without keys: names, addresses and notes of the orders read "erased"');
    again = await openAt(databaseUrl);
    staff = await signedInAs(again, admin);
  });
  afterAll(() => again.close());

  test('shows personal fields as erased, to the shopper, the staff and the auditors', async () => {
    expect((await sameBrowser(guest, again).order(guestOrder)).order).toMatchObject({
      _id: guestOrder,
      shippingAddress: { name: 'erased' },
    });
    const orders = async () => (await staff.get('/api/admin/orders')).body as { orders: { _id: string; shippingAddress: object }[] };
    await expect.poll(async () => (await orders()).orders.length).toBeGreaterThan(3);
    for (const each of (await orders()).orders) expect(each.shippingAddress).toMatchObject({ name: 'erased' });
    const books = await signedInAs(again, auditor);
    const { status, body } = await books.get(`/api/audit/orders/${guestOrder}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"name":"erased"');
    expect(JSON.stringify(body)).not.toContain(gul.name);
  });

  test('has nothing readable of anybody in its tables, and in the lists of staff', async () => {
    const texts = [gul, stays, goes].flatMap(listTexts);
    expect(await findTablesWith(again.databaseUrl, texts)).toEqual([]);
    const { rows } = await again.pool.query<{ subscribers: string; messages: string; accounts: string }>(
      `select (select count(*) from shop.subscribers) as subscribers, (select count(*) from shop.contact_messages) as messages,
         (select count(*) from shop.users where roles = '{}') as accounts`,
    );
    // The user who was erased after the backup is erased again.
    expect(rows).toEqual([{ subscribers: '1', messages: '1', accounts: '1' }]);
    expect((await staff.get('/api/subscribe')).body).toMatchObject([{ email: 'erased', isActive: true }]);
    expect((await staff.get('/api/contact')).body).toMatchObject({
      data: [{ name: 'erased', email: 'erased', phone: 'erased', message: 'erased' }],
    });
    expect((await sameBrowser(staying.at, again).get('/api/user/fetch-user')).body).toMatchObject({ name: 'erased', email: 'erased' });
  });

  test('lets everybody register, subscribe and write again', async () => {
    const back = ordering(again);
    await join(again, back, stays);
    expect((await back.get('/api/user/fetch-user')).body).toMatchObject({ email: stays.email });
    const { name, email, phone } = stays;
    expect((await back.post('/api/subscribe', { email })).status).toBe(201);
    expect((await back.post('/api/contact', { name, email, phone, message: 'Are you there?' })).status).toBe(201);
    expect((await staff.get('/api/subscribe')).body).toMatchObject([{ email }, { email: 'erased' }]);
  });

  test('accepts orders, even from former shoppers, whose earlier orders can still be processed', async () => {
    const at = sameBrowser(guest, again);
    const next = await orderOf(at, gul);
    expect((await at.order(next)).order.shippingAddress).toMatchObject({ name: gul.name });
    expect((await at.order(guestOrder)).order.shippingAddress).toMatchObject({ name: 'erased' });
    expect((await staff.move(guestOrder, 'confirmed', 'Asked for the address again')).status).toBe(200);
    const { events } = await again.store.read(`order-${guestOrder}`);
    expect(events.map(({ data }) => data)).toMatchObject([
      { shippingAddress: { name: 'erased' } },
      {},
      { note: 'Asked for the address again' },
    ]);
    const user = sameBrowser(staying.at, again);
    expect((await user.order(await orderOf(user, stays))).order.shippingAddress).toMatchObject({ name: stays.name });
  });
});

describe('a backup', () => {
  test('without keys prints a warning that explains the consequences', async () => {
    expect(await backupCommand([inHome('no-keys')], deps(shop.databaseUrl))).toBe(0);
    expect(said[0]).toMatch(/^Without --keys .+ this backup has no keys: in a shop restored from it, .+ read "erased"\.$/);
    expect(said[1]).toMatch(/^Backed up /);
    expect(await keysFound(inHome('no-keys'), [...raw, ...wrapped])).toBe(0);
  });

  test.each([
    ['same', 'same'],
    ['outer', 'outer/inner'],
    ['a/b', 'a'],
  ])('of log and keys needs separate directories: %s and %s are refused', async (log, keys) => {
    expect(await backupCommand([inHome(log), '--keys', inHome(keys)], deps(shop.databaseUrl))).toBe(1);
    expect(said.pop()).toMatch(/is not empty|store them separately/);
    expect(await readdir(inHome(log)).then((names) => names.filter((name) => name.endsWith('.gz')))).toEqual([]);
  });

  test('is not restored with the two directories swapped, or with keys that this shop cannot unwrap', async () => {
    const databaseUrl = await freshDatabase();
    expect(await restoreCommand([inHome('keys'), '--keys', inHome('log')], deps(databaseUrl))).toBe(1);
    expect(said.pop()).toMatch(/has a backup of the keys, not of the log/);
    expect(await restoreCommand([inHome('log'), '--keys', inHome('log')], deps(databaseUrl))).toBe(1);
    expect(said.pop()).toMatch(/has a backup of the log, not of the keys/);
    expect(await restoreCommand([inHome('log'), '--keys', inHome('keys')], deps(databaseUrl, []))).toBe(1);
    expect(said.pop()).toMatch(/wrapped by the key-encryption key [0-9a-f]{16}, which is not among KEY_ENCRYPTION_KEY/);
  });
});
