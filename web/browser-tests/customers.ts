import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { BrowserShop } from './harness.ts';

type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export const PASSWORD = 'rosewater-at-dawn';

/** The newest mail to this address whose subject is such a one, once there are so many: its subject in the first line, then its text. */
export const mailTo = ({ url }: Pick<BrowserShop, 'url'>, address: string, subject = /./, count = 1): Promise<string> =>
  vi.waitFor(
    async () => {
      const messages: Mail[] = await (await fetch(`${url}/dev/mailbox/messages`)).json();
      const [newest, ...older] = messages.filter((mail) => mail.to === address && subject.test(mail.subject));
      if (!newest || older.length + 1 < count) throw new Error(`There are not yet ${count} such mails to ${address}`);
      return `${newest.subject}\n${newest.text}`;
    },
    { timeout: 20_000, interval: 100 },
  );

/** The code that proves this address, once it was mailed. */
export const codeMailedTo = async (shop: Pick<BrowserShop, 'url'>, address: string): Promise<string> =>
  (await mailTo(shop, address, /^\d{6} /)).slice(0, 6);

/** Makes an account over the API, in which the visitor is then signed in. What the pages do for it, `accounts.test.ts` tests. */
export const signUp = async (shop: Pick<BrowserShop, 'url'>, { request }: Page, email: string, name = 'Ananya Mehta'): Promise<void> => {
  const person = { name, email, phone: '+91 98200 55501', password: PASSWORD, confirm_password: PASSWORD };
  const registered = await request.post('/api/user/register', { data: person });
  expect(registered.ok(), await registered.text()).toBe(true);
  const { userId }: { userId: string } = await registered.json();
  const verified = await request.post('/api/user/verify-otp', { data: { userId, otp: await codeMailedTo(shop, email) } });
  expect(verified.ok(), await verified.text()).toBe(true);
};

/** Others see a change a moment later than who made it: waits until what is at this address of the API matches. */
export const seenByOthers = async (shop: BrowserShop, address: string, part: object): Promise<void> => {
  const { page } = await shop.visit('phone');
  await expect.poll(async () => (await page.request.get(address)).json()).toMatchObject(part);
};

/** Signs the visitor in over the API. */
export const enter = async ({ request }: Page, person: { readonly email: string; readonly password: string }): Promise<void> => {
  const { email, password } = person;
  const entered = await request.post('/api/user/login', { data: { email, password } });
  expect(entered.ok(), await entered.text()).toBe(true);
};
