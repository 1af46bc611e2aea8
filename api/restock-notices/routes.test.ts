import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { productId } from '#domain/shared/ids.ts';
import { add, oudSaffronMajlis as oud, remove, revise, ruhGulab as gulab } from '#domain/testing/products.ts';

import { holdTheClock } from '../accounts/testing/accounts-shop.ts';
import { browser } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { oneMail } from '../mail/caught-mail.ts';
import { openShopForFile } from '../testing/test-shop.ts';

const NOTED = { message: 'Thank you. We will write to you once, when it is in stock again.' };
const ENDED = { message: 'You will get no more of these mails.' };

beforeEach(holdTheClock);
afterEach(() => vi.useRealTimers());
const shop = await openShopForFile({ publicUrl: 'http://shop.example', projecting: true, reacting: true });
const db = shop.db;
await change([shop], oud, add({ inStock: false }));
await change([shop], gulab, add());

const ask = (id: string, body: unknown, { url } = shop, from = '127.0.0.1') => browser(url, from).post(`/api/product/${id}/notify`, body);
const end = (body: unknown) => browser(shop.url).post('/api/notices/end', body);
const requests = async () => {
  const rows = await db.selectFrom('restock_notices').select(['product_id', 'subject', 'personal']).orderBy('id').execute();
  return (await shop.sealed.openAll('restock_notices', rows)).map(({ product_id, email }) => `${email} ${product_id}`);
};

describe('asking for a notice', () => {
  test('answers 202 for a perfume in stock or not, and for a known or unknown address', async () => {
    for (const id of [oud, gulab, oud, gulab])
      expect(await ask(id, { email: ' Meera@Example.com' })).toMatchObject({ status: 202, body: NOTED });
    expect(await requests()).toEqual([`meera@example.com ${oud}`, `meera@example.com ${gulab}`]);
  });

  test('makes one request, however many are sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(oud, { email: 'rush@example.com' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect((await requests()).filter((each) => each.startsWith('rush'))).toEqual([`rush@example.com ${oud}`]);
  });

  test.each([undefined, '', 'meera', 7, 'a@example.com,b@example.com', 'meera@example.com\r\nBcc: x@y.example', 'a'.repeat(2_000)])(
    'with %j is refused with the name of the field',
    async (email) => {
      expect(await ask(oud, { email })).toMatchObject({ status: 400, body: { errors: { email: expect.any(String) } } });
    },
  );

  test('for an unknown or removed perfume is answered with 404, and a removal ends its requests', async () => {
    await change([shop], 'mogra', add());
    expect((await ask('mogra', { email: 'meera@example.com' })).status).toBe(202);
    await change([shop], 'mogra', remove());
    await expect.poll(requests).not.toContain('meera@example.com mogra');
    for (const id of ['mogra', 'nothing', 'No-Id'])
      expect(await ask(id, { email: 'meera@example.com' })).toMatchObject({ status: 404, body: { message: 'Product not found' } });
    expect(
      await db
        .selectFrom('restock_levels')
        .select('product_id')
        .where('product_id', 'in', [productId('mogra')])
        .execute(),
    ).toEqual([]);
  });
});

describe('the notice', () => {
  /** Requests a notice about a sold-out perfume for an address, restocks it, and returns the mail. */
  const noticeTo = async (email: string) => {
    await ask(oud, { email });
    await change([shop], oud, revise({ inStock: true }));
    const id = await vi.waitFor(
      async () => (await db.selectFrom('caught_mail').select('id').where('recipient', '=', email).executeTakeFirstOrThrow()).id,
      { timeout: 20_000 },
    );
    await change([shop], oud, revise({ inStock: false }));
    const mail = (await oneMail(db, id)) ?? expect.fail();
    const link = /http\S+\/notices\/end\/\S+/.exec(mail.text)?.[0] ?? '';
    return { ...mail, link, token: link.split('/').at(-1) ?? '' };
  };

  test('has the perfume, its price and a link to its page, with a link and a button that end all other requests', async () => {
    const { subject, text, html, source, link } = await noticeTo('ravi@example.com');
    expect(subject).toBe('Oud Saffron Majlis is back');
    for (const part of [text, html])
      for (const fact of ['Oud Saffron Majlis', '₹3,450.00', `http://shop.example/product/${oud}`, link]) expect(part).toContain(fact);
    expect(link).toMatch(/^http:\/\/shop\.example\/notices\/end\/[\w-]+$/);
    expect(link).not.toContain('ravi');
    const lines = source.split('\r\n');
    expect(lines).toContain(`List-Unsubscribe: <${link}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('ends all requests of its address by its link, repeatedly, and no requests of others', async () => {
    const { token } = await noticeTo('leaver@example.com');
    await Promise.all([oud, gulab].flatMap((id) => ['leaver@example.com', 'stayer@example.com'].map((email) => ask(id, { email }))));
    for (let time = 0; time < 2; time++) expect(await end({ token })).toMatchObject({ status: 200, body: ENDED });
    expect((await requests()).filter((each) => each.startsWith('leaver'))).toEqual([]);
    expect((await requests()).filter((each) => each.startsWith('stayer'))).toHaveLength(2);
    const otherStart = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const forged of [`${token}A`, token.slice(0, -2), otherStart, '', '1', 'null'])
      expect(await end({ token: forged })).toMatchObject({ status: 400, body: { code: 'bad_link' } });
    expect(await end({})).toMatchObject({ status: 400 });
  });

  test("ends them by a mail program's button too, and not when the link is opened", async () => {
    const { link } = await noticeTo('button@example.com');
    await ask(gulab, { email: 'button@example.com' });
    const { pathname } = new URL(link);
    await browser(shop.url).get(pathname);
    expect(await requests()).toContain(`button@example.com ${gulab}`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const click = (address: string) => browser(shop.url).send('POST', address, { body: 'List-Unsubscribe=One-Click', headers });
    expect((await click(`${pathname}A`)).status).toBe(400);
    expect(await click(pathname)).toMatchObject({ status: 200, body: 'Unsubscribed' });
    expect(await requests()).not.toContain(`button@example.com ${gulab}`);
  });
});
