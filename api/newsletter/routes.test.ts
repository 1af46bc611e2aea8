import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { NOT_AN_EMAIL } from '#domain/shared/email.ts';

import type { EmailAddress } from '../platform/email-address.ts';
import { hashOf } from '../accounts/testing/people.ts';
import { browser } from '../accounts/testing/browser.ts';
import { holdTheClock, passTime } from '../accounts/testing/accounts-shop.ts';
import { createCachedCounts } from '../admin/counts.ts';
import { oneMail } from '../mail/caught-mail.ts';
import { admin as ADMIN, signedInAs } from '../orders/testing/ordering.ts';
import { openShopForFile, openShopForTest } from '../testing/test-shop.ts';
import { allSubscribers } from './subscribers.ts';

const DAY = 24 * 3_600_000;
const PUBLIC = 'http://shop.example';
const THANKS = { message: 'Thank you. You are on the list for our letters.' };
const ALREADY = { message: 'You are already subscribed' };
const LEFT = { message: 'You are unsubscribed. No more letters will come.' };

beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());
const shop = await openShopForFile({ publicUrl: PUBLIC, people: { admin: ADMIN } });
const db = shop.db;

const subscribe = (body: unknown, from = '127.0.0.1') => browser(shop.url, from).post('/api/subscribe', body);
const unsubscribe = (body: unknown) => browser(shop.url).post('/api/subscribe/unsubscribe', body);
const rowOf = async (email: string) => {
  const hash = await hashOf(shop, email);
  return db.selectFrom('subscribers').selectAll().where('address_hash', '=', hash).executeTakeFirst();
};
const isActive = async (email: string) => (await rowOf(email))?.is_active;

/** Returns the mails to this address, oldest first, once there are `count`. */
const mailsTo = async (email: string, count: number) => {
  const ids = () => db.selectFrom('caught_mail').select('id').where('recipient', '=', email).orderBy('id').execute();
  await expect.poll(async () => (await ids()).length).toBeGreaterThanOrEqual(count);
  const mails = await Promise.all((await ids()).map(({ id }) => oneMail(db, id)));
  return mails.flatMap((mail) => (mail ? [{ ...mail, to: mail.recipient }] : []));
};
/** Counts the mails to this address, whether or not they were sent. */
const mailsCaused = async (email: string): Promise<number> => {
  const id = (await rowOf(email))?.id ?? '';
  return (await db.selectFrom('outbox').select('id').where('cause', 'like', `subscribed:${id}:%`).execute()).length;
};
const linkIn = ({ text }: { text: string }): string => /http\S+/.exec(text)?.[0] ?? '';
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? '';

describe('subscribing to the newsletter', () => {
  test.each(['Rene\u0301@Example.com ', ' ren\u00e9@example.com', 'REN\u00c9@EXAMPLE.COM'])(
    'with the spelling %j does not add a second subscriber',
    async (typed) => {
      const count = async () => (await shop.pool.query('select from shop.subscribers')).rowCount;
      await subscribe({ email: 'ren\u00e9@example.com' });
      const before = await count();
      expect((await subscribe({ email: typed })).body).toEqual(ALREADY);
      expect(await count()).toBe(before);
    },
  );

  test('many times at once counts one subscription as the first, and queues one mail', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => subscribe({ email: 'rush@example.com' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(await mailsCaused('rush@example.com')).toBe(1);
  });

  test.each([
    undefined,
    '',
    '  ',
    'meera',
    7,
    { address: 'meera@example.com' },
    'meera@example.com\r\nBcc: x@y.example',
    'meera@example.com%0d%0aSubject:',
    'a@example.com,b@example.com',
    `${'a'.repeat(300)}@example.com`,
    'a'.repeat(20_000),
  ])('with %j is refused with the name of the field', async (email) => {
    const message = NOT_AN_EMAIL;
    expect(await subscribe({ email })).toMatchObject({
      status: 400,
      body: { message, code: 'invalid_request', errors: { email: expect.any(String) } },
    });
  });
});

describe('the confirmation', () => {
  test('goes to the address, with an unsubscribe link and button, and without any input', async () => {
    await subscribe({ email: 'Ravi@Example.com', name: 'Buy cheap watches' });
    const [mail] = await mailsTo('ravi@example.com', 1);
    if (!mail) throw new Error('No mail');
    expect(mail).toMatchObject({ to: 'ravi@example.com', subject: 'Your letters from Kannauj' });
    const link = linkIn(mail);
    expect(link).toMatch(/^http:\/\/shop\.example\/unsubscribe\?token=\d+\.[\w-]{43}$/);
    expect(mail.html).toContain(`href="${link}"`);
    const lines = mail.source.split('\r\n');
    expect(lines).toContain(`List-Unsubscribe: <${link}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail.source.match(/^(?:to|cc|bcc):.*$/gim)).toEqual(['To: ravi@example.com']);
    expect(mail.source).not.toContain('watches');
    expect(link).not.toContain('ravi');
  });

  test('is sent at most once a day, however often the address is subscribed and unsubscribed', async () => {
    const email = 'often@example.com';
    for (let time = 0; time < 3; time++) {
      expect((await subscribe({ email })).status).toBe(201);
      await unsubscribe({ email });
    }
    expect(await mailsCaused(email)).toBe(1);
    passTime(DAY - 1_000);
    await subscribe({ email });
    await unsubscribe({ email });
    expect(await mailsCaused(email)).toBe(1);
    passTime(1_001);
    await subscribe({ email });
    expect(await mailsCaused(email)).toBe(2);
    await mailsTo(email, 2);
  });
});

describe('unsubscribing', () => {
  test('by address gets the same response whether or not the address is known', async () => {
    await subscribe({ email: 'leaver@example.com' });
    expect(await unsubscribe({ email: ' Leaver@example.com' })).toMatchObject({ status: 200, body: LEFT });
    expect(await unsubscribe({ email: 'nobody@example.com' })).toMatchObject({ status: 200, body: LEFT });
    expect(await isActive('leaver@example.com')).toBe(false);
    expect(await rowOf('nobody@example.com')).toBeUndefined();
    expect(await subscribe({ email: 'leaver@example.com' })).toMatchObject({ status: 201, body: THANKS });
  });

  test('by a mailed link works repeatedly, and for that subscription only', async () => {
    await Promise.all([subscribe({ email: 'link@example.com' }), subscribe({ email: 'other@example.com' })]);
    const [mail] = await mailsTo('link@example.com', 1);
    const token = tokenOf(mail ? linkIn(mail) : '');
    expect(await unsubscribe({ token })).toMatchObject({ status: 200, body: LEFT });
    expect(await unsubscribe({ token })).toMatchObject({ status: 200, body: LEFT });
    expect(await isActive('link@example.com')).toBe(false);

    const [, signature = ''] = token.split('.');
    const other = await rowOf('other@example.com');
    for (const forged of [`${other?.id}.${signature}`, `${token}x`, token.slice(0, -1), '', '1', 'null', `${token}\n`])
      expect(await unsubscribe({ token: forged })).toMatchObject({ status: 400, body: { code: 'bad_link' } });
    expect(await isActive('other@example.com')).toBe(true);
  });

  test("by a mail program's button posts a form to the link; opening the link changes nothing", async () => {
    await subscribe({ email: 'button@example.com' });
    const [mail] = await mailsTo('button@example.com', 1);
    const { pathname, search } = new URL(mail ? linkIn(mail) : '');
    await browser(shop.url).get(pathname + search);
    expect(await isActive('button@example.com')).toBe(true);

    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const click = (address: string) => browser(shop.url).send('POST', address, { body: 'List-Unsubscribe=One-Click', headers });
    expect(await click(`${pathname}?token=1.${'a'.repeat(43)}`)).toMatchObject({ status: 400 });
    expect(await click(pathname)).toMatchObject({ status: 400 });
    expect(await click(pathname + search)).toMatchObject({ status: 200, body: 'Unsubscribed' });
    expect(await isActive('button@example.com')).toBe(false);
  });
});

describe('the list of subscribers', () => {
  test('is sorted newest first, in pages linked by cursors', async () => {
    for (const name of ['first', 'second', 'third']) await subscribe({ email: `${name}-page@example.com` });
    await unsubscribe({ email: 'second-page@example.com' });
    const admin = await signedInAs(shop, ADMIN);
    const { body, headers } = await admin.get('/api/subscribe?limit=2');
    expect(body).toEqual([
      { _id: expect.any(String), email: 'third-page@example.com', isActive: true, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { _id: expect.any(String), email: 'second-page@example.com', isActive: false, createdAt: expect.any(String) },
    ]);
    const [, next = ''] = /<(.*)>; rel="next"/.exec(String(headers['link'])) ?? [];
    expect((await admin.get(next)).body).toMatchObject([{ email: 'first-page@example.com' }, {}]);
    expect((await admin.get('/api/subscribe')).headers['link']).toBeUndefined();
  });

  test.each(['limit=0', 'limit=x', 'cursor=x', "cursor=1'--"])('refuses the query %s', async (query) => {
    expect((await (await signedInAs(shop, ADMIN)).get(`/api/subscribe?${query}`)).status).toBe(400);
  });

  test('can be counted and read completely in any number of pages', async () => {
    const empty = await openShopForTest();
    const readers = Array.from({ length: 2_500 }, (_, index) => `reader-${index + 1}@example.com` as EmailAddress);
    const sealed = await Promise.all(readers.map((email) => empty.sealed.sealByAddress('subscribers', { email })));
    await empty.db
      .insertInto('subscribers')
      .values(sealed.map((row, index) => ({ ...row, is_active: (index + 1) % 3 !== 0, created_at: new Date() })))
      .execute();
    expect(await createCachedCounts(empty.db).now()).toMatchObject({ totalSubscribers: 1667 });
    const emails: string[] = [];
    for await (const page of allSubscribers(empty)) emails.push(...page.map(({ email }) => email));
    expect(emails).toHaveLength(2500);
    expect(new Set(emails).size).toBe(2500);
    expect([emails[0], emails.at(-1)]).toEqual(['reader-2500@example.com', 'reader-1@example.com']);
  });
});
