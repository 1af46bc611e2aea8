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
const shop = await openShopForFile({ people: { admin: ADMIN }, projecting: true, reacting: true });
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
      {
        ...meera,
        message: 'third',
        _id: expect.any(String),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        state: 'new',
        answers: [],
        mailProblem: null,
      },
      { ...meera, message: 'second', _id: nextCursor, createdAt: expect.any(String), state: 'new', answers: [], mailProblem: null },
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

describe('an answer', () => {
  test('is seen at once with its author, mailed once above the message, and given again only if that is meant', async () => {
    const staff = await signedInAs(shop, ADMIN);
    const answer = (body: unknown, id = _id) => staff.send('PUT', `/api/contact/${id}`, { body });
    await write({ ...meera, email: 'asha@example.com', message: 'Is it at www.rose.example?' });
    const { data, waiting } = (await staff.get('/api/contact?limit=1')).body as { data: ContactView[]; waiting: number };
    const _id = data[0]?._id ?? '';
    for (const body of [{}, { answer: ' ' }, { answer: 'x'.repeat(5_001) }, { answer: 'It is.', again: 'yes' }])
      expect((await answer(body)).status).toBe(400);
    for (const id of ['0', 'nothing', '9'.repeat(19)]) expect((await answer({ answer: 'It is.' }, id)).status).toBe(404);

    const answers = await Promise.all([answer({ answer: 'Dear Asha,\n\nit <is>.' }), answer({ answer: 'No.' })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const first = { text: expect.any(String), at: expect.stringMatching(/Z$/), by: expect.stringMatching(/\S/) };
    const answered = { ...data[0], state: 'answered', answers: [first] };
    expect(answers.find(({ status }) => status === 200)?.body).toStrictEqual(answered);
    expect((await staff.get('/api/contact?limit=1')).body).toMatchObject({ data: [answered], waiting: waiting - 1 });
    expect((await staff.get('/api/contact?state=answered')).body).toMatchObject({ data: [{ _id }] });
    expect(JSON.stringify((await staff.get('/api/contact?state=new')).body)).not.toContain('asha@');
    expect((await staff.get('/api/contact?q=ASHA%40')).body).toMatchObject({ data: [{ _id }], nextCursor: null });

    expect(await answer({ answer: 'Or so.' })).toMatchObject({ status: 409, body: { code: 'message_answered' } });
    expect(await answer({ answer: 'Or so.', again: true })).toMatchObject({ body: { answers: [first, { text: 'Or so.' }] } });
    const caught = async () => (await staff.get('/dev/mailbox/messages')).body as { to: string; text: string; html: string }[];
    const mails = async () => (await caught()).filter(({ to }) => to === 'asha@example.com');
    await expect.poll(mails).toHaveLength(2);
    for (const { text } of await mails()) expect(text).toContain('You wrote:\nIs it at www.\u2060rose.\u2060example?');
    expect(JSON.stringify(await mails())).not.toContain('<is>.</p>');
  });
});
