import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { describe, expect, test } from 'vitest';

import { orderStream } from '#domain/order/order.ts';
import { shopperId } from '#domain/shared/ids.ts';
import { home } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { browser, type Answer } from '../accounts/testing/browser.ts';
import { hashOf, PASSWORD } from '../accounts/testing/people.ts';
import { change, toProduct } from '../cart/testing/shopping.ts';
import { streamCategories } from '../event-store/stored-event.ts';
import { openLogger } from '../platform/logger.ts';
import { isLongRun } from '../testing/long-run.ts';
import { openShopForFile, openShopForTest } from '../testing/test-shop.ts';
import { checkReceipt, publicLogAt } from '../transparency/testing/log-reader-over-http.ts';
import { admin, auditor, ordering, signedInAs, signedUp, type OrderingBrowser } from './testing/ordering.ts';
import { placedBy } from './testing/placing.ts';

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true, reacting: true });
await change([shop], oudSaffronMajlis, add());
const { readVkeys } = publicLogAt(`${shop.url}/log`);

const ask = (at: OrderingBrowser, id: string): Promise<Answer> => at.get(`/api/order/${id}/receipt`);

/** Waits until the order's newest event is signed. */
const answered = async (at: OrderingBrowser, id: string): Promise<Answer> => {
  await expect.poll(async () => (await ask(at, id)).status).toBe(200);
  return ask(at, id);
};
const receiptOf = async (at: OrderingBrowser, id: string): Promise<string> => String((await answered(at, id)).body);

const MISSING = { status: 404, body: { message: 'Order not found' } };

test('a receipt proves all events of the order, with lines and money readable and personal texts sealed', async () => {
  const at = ordering(shop);
  const { _id: id, orderNumber } = await at.buy({ note: 'Ring twice at the blue door' });
  const { body, headers } = await answered(at, id);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(headers['content-disposition']).toBe(`attachment; filename="${orderNumber}.tlog-proof"`);
  expect(headers['cache-control']).toBe('private, no-store');
  const events = checkReceipt(String(body), await readVkeys());
  expect(events.map(({ type }) => type)).toEqual(['OrderCreated', 'OrderPlaced']);
  expect(events.map(({ stream }) => stream)).toEqual([orderStream(id), orderStream(id)]);
  const readable = events.map(({ data, metadata }) => data + metadata).join('');
  expect(readable).toContain(orderNumber);
  for (const personal of [home.name, home.email, home.phone, home.address1, 'blue door']) expect(readable).not.toContain(personal);
});

test('a later event makes a longer receipt, and the one from before stays valid', async () => {
  const at = ordering(shop);
  const { _id: id } = await at.buy();
  const before = await receiptOf(at, id);
  expect((await at.cancel(id)).status).toBe(200);
  const after = await receiptOf(at, id);
  expect(checkReceipt(after, await readVkeys()).map(({ type }) => type)).toEqual(['OrderCreated', 'OrderPlaced', 'OrderCancelled']);
  expect(checkReceipt(before, await readVkeys())).toHaveLength(2);
});

test('whoever may read the order gets its receipt; for others the order does not exist', async () => {
  const alice = await signedUp(shop, 'alice@example.com');
  const { _id: id } = await alice.buy();
  const { body } = await answered(alice, id);
  for (const who of [admin, auditor])
    expect(await ask(await signedInAs(shop, who), id)).toMatchObject({ status: 200, body: expect.any(String) });
  checkReceipt(String(body), await readVkeys());
  const bob = await signedUp(shop, 'bob@example.com');
  expect(await ask(bob, id)).toMatchObject(MISSING);
  expect(await ask(ordering(shop), id)).toMatchObject(MISSING);
  expect(await ask(alice, '4e3c5a52-2f7c-4a8e-9f62-9d8b6f0c7b11')).toMatchObject(MISSING);
  await shop.pool.query(`update shop.users set roles = '{catalogue}' where address_hash = $1`, [await hashOf(shop, 'bob@example.com')]);
  expect((await ask(bob, id)).status).toBe(403);
});

test('the link of a mail opens the receipt too', async () => {
  const { _id: id } = await ordering(shop).buy({ shipping: { ...home, email: 'guest@example.com' } });
  const findToken = async (): Promise<string | undefined> => {
    const mails = (await browser(shop.url).get('/dev/mailbox/messages')).body as { to: string; text: string }[];
    return /\/order\/([\w-]{48})/.exec(mails.find(({ to }) => to === 'guest@example.com')?.text ?? '')?.[1];
  };
  await expect.poll(findToken).toBeDefined();
  const at = ordering(shop);
  await at.post('/api/order/open', { token: await findToken() });
  checkReceipt(await receiptOf(at, id), await readVkeys());
});

describe('the mail about a placed order', () => {
  type Message = { readonly to: string; readonly text: string; readonly html: string };
  const mailsTo = async (address: string): Promise<readonly Message[]> =>
    ((await browser(shop.url).get('/dev/mailbox/messages')).body as readonly Message[]).filter(({ to }) => to === address);

  /** Reads what the newest mail to this address has attached, as its mailbox offers it. */
  const readAttached = async (address: string) => {
    const caught = shop.db.selectFrom('caught_mail').select('id').where('recipient', '=', address).orderBy('id', 'desc');
    const { id } = await caught.executeTakeFirstOrThrow();
    const box = String((await browser(shop.url).get(`/dev/mailbox?message=${id}`)).body);
    const [, path = '', name] = /<a href="(\/dev\/mailbox\/\d+\/0)">([^<]*)</.exec(box) ?? [];
    return { path, name, content: await (await fetch(shop.url + path)).text() };
  };

  test('has its receipt attached, which proves the same as the one on the page, until its shopper is erased', async () => {
    const farah = await signedUp(shop, 'farah@example.com');
    const { _id: id, orderNumber } = await farah.buy({ shipping: { ...home, email: 'farah@example.com' } });
    const placed = async () => (await mailsTo('farah@example.com')).find(({ text }) => text.includes(String(orderNumber)));
    await expect.poll(placed).toBeDefined();
    const mail = await placed();
    for (const part of [mail?.text, mail?.html]) expect(part).toContain('http://localhost/verify');
    const { path, name, content } = await readAttached('farah@example.com');
    expect(name).toBe(`${orderNumber}.tlog-proof`);
    expect(checkReceipt(content, await readVkeys())).toEqual(checkReceipt(await receiptOf(farah, id), await readVkeys()));
    expect((await farah.post('/api/user/erase', { password: PASSWORD })).status).toBe(200);
    expect((await fetch(shop.url + path)).status).toBe(404);
  });

  test('goes without a receipt from a shop whose log is not signed, and does not speak of one', async () => {
    const unsigned = await openShopForTest({ reacting: true });
    await toProduct(unsigned, oudSaffronMajlis, add());
    const { id } = await placedBy(unsigned, shopperId(randomUUID()));
    const sent = async () =>
      (await unsigned.db.selectFrom('outbox').select('state').where('cause', '=', `order-placed:${id}`).execute())[0];
    await expect.poll(sent).toEqual({ state: 'sent' });
    const [mail] = (await browser(unsigned.url).get('/dev/mailbox/messages')).body as readonly Message[];
    expect(mail?.text).not.toContain('receipt');
    expect(String((await browser(unsigned.url).get('/dev/mailbox')).body)).not.toContain('.tlog-proof');
  });
});

test('a draft has no receipt yet', async () => {
  const at = ordering(shop);
  const { _id: id } = await at.draft();
  expect(await ask(at, id)).toMatchObject({ status: 404, body: { message: 'No receipt yet' } });
});

/** So many people are erased: three with an account, and the others as guests. */
const ERASED = isLongRun ? 1_000 : 5;

test('erasing people breaks no receipt, neither one from before nor one from after', { timeout: 240_000 + ERASED * 10_000 }, async () => {
  const buyOne = async (number: number) => {
    const email = `erased-${number}@example.com`;
    const hasAccount = number < 3;
    const at = hasAccount ? await signedUp(shop, email) : ordering(shop);
    const { _id: id } = await at.buy({ shipping: { ...home, email, name: `Erased ${number}` } });
    const erase = () => (hasAccount ? at.post('/api/user/erase', { password: PASSWORD }) : at.post(`/api/order/erase/${id}`, {}));
    return { erase, id, before: await receiptOf(at, id) };
  };
  const numbers = Array.from({ length: ERASED }, (_, number) => number);
  const people = await pMap(numbers, buyOne, { concurrency: 10 });
  for (const { erase } of people) expect((await erase()).status).toBe(200);
  const staff = await signedInAs(shop, admin);
  for (const { id, before } of people) {
    const events = checkReceipt(before, await readVkeys());
    const after = checkReceipt(await receiptOf(staff, id), await readVkeys());
    expect(after.slice(0, events.length)).toEqual(events);
  }
});

describe('the receipt of a shop whose tree cannot prove what was signed', () => {
  const openSigned = async () => {
    const lines: string[] = [];
    const log = openLogger('warn', { write: (line) => void lines.push(line) });
    const damaged = await openShopForTest({ projecting: true, log });
    await change([damaged], oudSaffronMajlis, add());
    const at = ordering(damaged);
    const { _id: id } = await at.buy();
    await at.buy();
    await answered(at, id);
    // Otherwise the last leaf, which is lost below, may not be signed yet, and what is signed can still be proven.
    const head = await damaged.store.head(streamCategories);
    const isAllSigned = async () => {
      const [row] = (
        await damaged.pool.query<{ same: boolean }>(
          `select size = (select size from shop.log_checkpoints) and position = $1 as same from read.log_trees where name = 'live'`,
          [head],
        )
      ).rows;
      return row?.same;
    };
    await expect.poll(isAllSigned).toBe(true);
    return { damaged, at, id, lines };
  };
  const REFUSED = { status: 503, body: { message: 'The receipt is ready in a moment: please try again' } };

  test.each([
    ['has a damaged tile', `update read.log_tiles set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0))`, 1],
    ['has a tile that is cut off', 'update read.log_tiles set hashes = substring(hashes for length(hashes) - 32)', 1],
    ['is still being built', `update read.log_trees set size = size - 1 where name = 'live'`, 0],
  ])('is refused while the tree %s, with one warning at most', async (_, statement, warnings) => {
    const { damaged, at, id, lines } = await openSigned();
    await damaged.pool.query(statement);
    expect(await ask(at, id)).toMatchObject(REFUSED);
    expect(await ask(at, id)).toMatchObject(REFUSED);
    expect(lines.filter((line) => line.includes('rebuild log-tree'))).toHaveLength(warnings);
  });
});
