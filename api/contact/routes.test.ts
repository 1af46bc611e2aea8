import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { EmailAddress } from '../platform/email-address.ts';
import { browser } from '../accounts/testing/browser.ts';
import { holdTheClock } from '../accounts/testing/accounts-shop.ts';
import { createCachedCounts } from '../admin/counts.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openShopForFile, openShopForTest } from '../testing/test-shop.ts';
import { allContactMessages, type ContactView } from './contact-messages.ts';

beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());
const shop = await openShopForFile({ people: { admin: ADMIN } });
const db = shop.db;

const meera = { name: 'Meera', email: 'meera@example.com', phone: '+91 98200 55501', message: 'Is the rose here?' };
const write = (body: unknown, from = '127.0.0.1') => browser(shop.url, from).post('/api/contact', body);
const newest = async () =>
  shop.sealed.open(
    'contact_messages',
    await db.selectFrom('contact_messages').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
  );

describe('a message to the shop', () => {
  test('is stored, and the response has the address of the reply', async () => {
    expect(await write({ ...meera, email: 'Meera@Example.com ' })).toMatchObject({
      status: 201,
      body: { message: 'Thank you for contacting us. We will reply to meera@example.com.' },
    });
    expect(await newest()).toMatchObject(meera);
  });

  test('needs no phone number', async () => {
    const { name, email, message } = meera;
    expect((await write({ name, email, message })).status).toBe(201);
    expect((await write({ name, email, message, phone: '' })).status).toBe(201);
    expect((await newest()).phone).toBe('');
  });

  test('without a required field is refused with the name of each missing field', async () => {
    const required = { name: 'Required', email: 'Required', message: 'Required' };
    expect(await write({})).toMatchObject({ status: 400, body: { errors: required } });
    expect(await write({ name: ' ', email: '', phone: '', message: '\r\n\t' })).toMatchObject({ status: 400, body: { errors: required } });
  });

  test.each([
    ['name', 'Eve\r\nBcc: x@y.example'],
    ['name', 'Eve%0d%0aSubject: hello'],
    ['name', 'Eve%0ABcc: x@y.example'],
    ['name', 'Eve\0'],
    ['name', '\u200d\u200f'],
    ['name', 'x'.repeat(101)],
    ['name', ['Eve']],
    ['email', 'eve@example.com\r\nBcc: x@y.example'],
    ['email', 'eve@example.com%0d%0aSubject:'],
    ['email', 'eve@example.com, x@y.example'],
    ['phone', '98200\r\n55501'],
    ['phone', '9'.repeat(41)],
    ['message', 'x'.repeat(5_001)],
    ['message', { text: 'hello' }],
  ])('is refused for its %s %j', async (field, value) => {
    const refused = await write({ ...meera, [field]: value });
    expect(refused).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '{{7*7}} ${7*7}',
    "'); drop table shop.contact_messages; --",
    '=HYPERLINK("http://e","x")',
    'नमस्ते, क्\u200dष 👩\u200d👧',
  ])('is stored unchanged: %s', async (text) => {
    expect((await write({ ...meera, name: text, message: text })).status).toBe(201);
    expect(await newest()).toMatchObject({ name: text, message: text });
  });

  test('is stored without invisible and direction-changing characters', async () => {
    await write({ ...meera, name: 'Eve\u202egnp.exe', phone: '\u202a98200 55501\u202c', message: 'He\u200bllo \u2067there\u2069' });
    expect(await newest()).toMatchObject({ name: 'Evegnp.exe', phone: '98200 55501', message: 'Hello there' });
  });

  test('keeps its line breaks, and loses characters that cannot be stored or seen', async () => {
    await write({ ...meera, message: ' one\r\ntwo\rthree\u2028four\0\u001b[31m\tend \n' });
    expect((await newest()).message).toBe('one\ntwo\nthree\nfour[31m\tend');
  });
});

describe('the messages', () => {
  test('are sorted newest first, in pages linked by cursors', async () => {
    for (const message of ['first', 'second', 'third']) await write({ ...meera, message });
    const admin = await signedInAs(shop, ADMIN);
    const page = async (query: string) =>
      (await admin.get(`/api/contact?${query}`)).body as { data: ContactView[]; nextCursor: string | null };
    const { data, nextCursor } = await page('limit=2');
    expect(data).toEqual([
      { ...meera, message: 'third', _id: expect.any(String), createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
      { ...meera, message: 'second', _id: nextCursor, createdAt: expect.any(String) },
    ]);
    const { headers } = await admin.get('/api/contact?limit=2');
    expect(headers['link']).toBe(`</api/contact?limit=2&cursor=${nextCursor}>; rel="next"`);
    expect((await page(`limit=1&cursor=${nextCursor}`)).data).toMatchObject([{ message: 'first' }]);
    const all = await page('');
    expect(all.data).toHaveLength((await createCachedCounts(shop.db).now()).contactMessages);
    expect(all.nextCursor).toBeNull();
  });

  test('can be read completely, in any number', async () => {
    const empty = await openShopForTest();
    const from = (n: number) => ({
      name: 'Reader',
      email: `reader-${n % 500}@example.com` as EmailAddress,
      phone: '',
      message: `message ${n}`,
    });
    const sent = Array.from({ length: 2_000 }, (_, index) => from(index + 1));
    const sealed = await Promise.all(sent.map((message) => empty.sealed.sealByAddress('contact_messages', message)));
    await empty.db
      .insertInto('contact_messages')
      .values(sealed.map((row) => ({ ...row, created_at: new Date() })))
      .execute();
    const messages: string[] = [];
    for await (const page of allContactMessages(empty)) messages.push(...page.map(({ message }) => message));
    expect(messages).toEqual(Array.from({ length: 2000 }, (_, index) => `message ${2000 - index}`));
    expect(await createCachedCounts(empty.db).now()).toMatchObject({ contactMessages: 2000 });
  });
});
