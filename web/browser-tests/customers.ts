import { text } from 'node:stream/consumers';
import type { APIResponse, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import { home } from '#domain/testing/orders.ts';
import type { BrowserShop } from './harness.ts';

type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export const PASSWORD = 'rosewater-at-dawn';

/** Waits for the `count`th mail to this address with a matching subject, and returns the newest: subject line, then text. */
export const mailTo = ({ url }: BrowserShop, address: string, subject = /./, count = 1): Promise<string> =>
  vi.waitFor(
    async () => {
      const messages: Mail[] = await (await fetch(`${url}/dev/mailbox/messages`)).json();
      const [newest, ...older] = messages.filter((mail) => mail.to === address && subject.test(mail.subject));
      if (!newest || older.length + 1 < count) throw new Error(`There are not yet ${count} such mails to ${address}`);
      return `${newest.subject}\n${newest.text}`;
    },
    { timeout: 60_000, interval: 100 },
  );

/** Waits for the mail with the code that verifies this address, and returns the code. */
export const codeMailedTo = async (shop: BrowserShop, address: string): Promise<string> =>
  (await mailTo(shop, address, /^\d{6} /)).slice(0, 6);

/** Waits for such a mail, and returns its link to a page whose path begins like this, as an address below the shop. */
export const linkMailedTo = async (shop: BrowserShop, address: string, path: string, subject?: RegExp, count?: number): Promise<string> => {
  const links = (await mailTo(shop, address, subject, count)).match(/https?:\/\/\S+/g) ?? [];
  const found = links.map((link) => new URL(link)).find(({ pathname }) => pathname.startsWith(path));
  if (!found) throw new Error(`The mail to ${address} has no link to ${path}`);
  return found.pathname + found.search;
};

/** Returns the answer's JSON, and fails if the call was refused. */
export const answered = async <Of>(answer: APIResponse): Promise<Of> => {
  expect(answer.ok(), `${answer.status()} ${answer.url()}`).toBe(true);
  return answer.json();
};

/** Creates an account over the API and signs the visitor in. `accounts.test.ts` tests the pages for it. */
export const signUp = async (shop: BrowserShop, { request }: Page, email: string): Promise<void> => {
  const person = { name: 'Ananya Mehta', email, phone: '+91 98200 55501', password: PASSWORD, confirm_password: PASSWORD };
  const { userId } = await answered<{ userId: string }>(await request.post('/api/user/register', { data: person }));
  await answered(await request.post('/api/user/verify-otp', { data: { userId, otp: await codeMailedTo(shop, email) } }));
};

export const enter = async ({ request }: Page, person: { readonly email: string; readonly password: string }): Promise<void> => {
  const { email, password } = person;
  await answered(await request.post('/api/user/login', { data: { email, password } }));
};

type Purchase = {
  /** The default is two pieces of Ruh Gulab. */
  readonly products?: Readonly<Record<string, number>>;
  readonly method?: 'COD' | 'Prepaid';
  /** Changes to the address of `home`. */
  readonly shipping?: Partial<Record<keyof typeof home, string>>;
  readonly giftMessage?: string;
};

/** Checks out over the API, because `purchase.test.ts` tests the pages for it. */
export const checkOut = async ({ request }: Page, purchase: Purchase = {}): Promise<OrderView> => {
  const { products = { 'ruh-gulab': 2 }, shipping, giftMessage = '' } = purchase;
  for (const [_id, quantity] of Object.entries(products))
    await answered(await request.post('/api/cart/add-to-cart', { data: { _id, quantity } }));
  const data = { shipping: { ...home, ...shipping }, giftWrap: giftMessage !== '', giftMessage };
  const { order } = await answered<{ order: OrderView }>(await request.post('/api/order/create-order', { data }));
  return order;
};

export type Placed = Pick<OrderView, '_id' | 'total'> & { readonly orderNumber: string };

/** Checks out and places the order over the API. */
export const placeOrder = async (page: Page, purchase: Purchase = {}): Promise<Placed> => {
  const { _id } = await checkOut(page, purchase);
  return answered(await page.request.put(`/api/order/place-order/${_id}`, { data: { method: purchase.method ?? 'COD' } }));
};

/** Pays the order over the API. */
export const payOrder = async ({ request }: Page, { _id }: Placed): Promise<void> => {
  const { url } = await answered<{ url: string }>(await request.post(`/api/order/pay/${_id}`));
  expect((await request.post(`${url}/pay`, { data: {} })).ok()).toBe(true);
};

/** Moves an order through these statuses over the API, as an admin who has this page. */
export const moveOrder = async ({ request }: Page, { _id }: Pick<Placed, '_id'>, ...statuses: readonly string[]): Promise<void> => {
  for (const status of statuses) await answered(await request.put(`/api/admin/order/${_id}/status`, { data: { status } }));
};

/** Accepts the return of the order and receives its bottles, as an admin who has this page. */
export const receiveReturn = async ({ request }: Page, { _id }: { readonly _id: string }): Promise<void> => {
  for (const data of [{ decision: 'accepted' }, { received: true, restock: true }])
    await answered(await request.put(`/api/admin/return/${_id}`, { data }));
};

/** Starts a download, and returns its file's name and text. */
export const download = async (page: Page, start: () => Promise<void>): Promise<{ readonly name: string; readonly content: string }> => {
  const [file] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: file.suggestedFilename(), content: await text(await file.createReadStream()) };
};
