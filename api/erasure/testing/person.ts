import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { mapOrderTexts } from '#domain/order/texts.ts';
import { home } from '#domain/testing/orders.ts';
import { readModels } from '#projections/read-models.ts';
import { verify } from '#projections/storage/verify.ts';

import type { Browser } from '../../accounts/testing/browser.ts';
import { PASSWORD, signUp } from '../../accounts/testing/people.ts';
import { ordering, type OrderingBrowser } from '../../orders/testing/ordering.ts';
import { mailedCode } from '../../testing/mailed-code.ts';
import type { TestShop } from '../../testing/test-shop.ts';

/** Makes a person with texts that do not occur by chance. */
export const personCalled = (name: string) => {
  const email = `${name.toLowerCase()}@example.com`;
  const phone = `+91 ${String(10_000 + ([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 90_000))} 55511`;
  return {
    name: `${name} Quraishi`,
    email,
    phone,
    password: PASSWORD,
    shipping: { ...home, name: `${name} Quraishi`, address1: `17 ${name} Lane`, phone, email: `gifts-of-${email}` },
  };
};
export type Person = ReturnType<typeof personCalled>;

/** Returns the texts that must not be found after the erasure. */
export const listTexts = ({ name, email, phone, shipping }: Person): readonly string[] => [
  name,
  email,
  phone,
  shipping.address1,
  shipping.email,
];

/** Registers and signs in with this browser, which may have been a visitor's. */
export const join = (shop: TestShop, at: Browser, { name, email, phone, password }: Person): Promise<string> =>
  signUp({ codeFor: (address) => mailedCode(shop, address) }, at, { name, email, phone, password, confirm_password: password });

/** Makes an order as a visitor, an account, orders as its user, an address, a subscription, a request for a notice, a message, and a cart. */
export const withHistory = async (
  shop: TestShop,
  who: Person,
  product: string,
): Promise<{ at: OrderingBrowser; user: string; orders: string[] }> => {
  const at = ordering(shop);
  const order = async (giftMessage: string): Promise<string> => {
    await at.add({ _id: product });
    const { order } = await at.create({
      shipping: who.shipping,
      giftWrap: true,
      ...mapOrderTexts(() => `Ask for ${who.name}`),
      giftMessage,
    });
    await at.place(order._id);
    return order._id;
  };
  const first = await order(`From ${who.name}`);
  const user = await join(shop, at, who);
  const second = await order(`For ${who.name}`);
  await at.add({ _id: product });
  const { order: draft } = await at.create({ shipping: who.shipping, giftWrap: false, giftMessage: '' });
  await at.post('/api/user/addresses', who.shipping);
  await at.post('/api/subscribe', { email: who.email });
  await at.post(`/api/product/${product}/notify`, { email: who.email });
  await at.post('/api/contact', { name: who.name, email: who.email, phone: who.phone, message: `Write to ${who.name}, 17 at home` });
  await at.cancel(second, { reason: `${who.name} is away` });
  // There are mails about both orders and the cancellation; late ones would arrive during the test's next step.
  while ((await mailsTo(shop, who.shipping.email)) < 3) await pause(20);
  return { at, user, orders: [first, second, draft._id] };
};

/** Returns a text's forms: itself, its bytes, and its unkeyed hashes. */
const listEncodings = (text: string): readonly string[] => {
  const digests = (['hex', 'base64', 'base64url'] as const).flatMap((form) => [hash('sha256', text, form), hash('md5', text, form)]);
  return [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64'), ...digests].map((form) => form.toLowerCase());
};

const TABLE_IS_GONE = '42P01';

const searchTables = async (client: pg.Client, sought: readonly string[]): Promise<readonly string[]> => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select distinct format('%I.%I', table_schema, table_name) as name from information_schema.columns
     where table_schema not in ('information_schema', 'pg_catalog') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(
      // Each row is converted to text once, not for each text.
      `with rows_ as materialized (select lower(row_::text) as row_ from ${name} row_)
       select from rows_ where exists (select from unnest($1::text[]) text where strpos(row_, text) > 0) limit 1`,
      [sought],
    );
    if (rowCount) found.push(name);
  }
  return found;
};

/** Returns the tables, in any schema, that contain one of these texts in any form. */
export const findTablesWith = async (databaseUrl: string, texts: readonly string[]): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      try {
        return await searchTables(client, texts.flatMap(listEncodings));
      } catch (error) {
        // A rebuild has replaced the table, so that its rows are now in a table of another name.
        if (!(error instanceof pg.DatabaseError) || error.code !== TABLE_IS_GONE) throw error;
      }
    }
  } finally {
    await client.end();
  }
};

/** Returns where the read models differ from a rebuild. */
export const findDifferences = async ({ store, read }: TestShop) => {
  const found = [];
  for (const model of readModels) found.push(...(await verify(model, store, read, { signal: new AbortController().signal })).differences);
  return found;
};

/** Counts the caught mails to this address. */
export const mailsTo = async ({ db }: Pick<TestShop, 'db'>, address: string): Promise<number> =>
  (await db.selectFrom('caught_mail').select('id').where('recipient', '=', address).execute()).length;
