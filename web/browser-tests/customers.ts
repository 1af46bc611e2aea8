import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { BrowserShop } from './harness.ts';

type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export const PASSWORD = 'rosewater-at-dawn';

/** Waits for the `count`th mail to this address with a matching subject, and returns the newest: subject line, then text. */
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

/** Waits for the mail with the code that verifies this address, and returns the code. */
export const codeMailedTo = async (shop: Pick<BrowserShop, 'url'>, address: string): Promise<string> =>
  (await mailTo(shop, address, /^\d{6} /)).slice(0, 6);

/** Creates an account over the API and signs the visitor in. `accounts.test.ts` tests the pages for it. */
export const signUp = async (shop: Pick<BrowserShop, 'url'>, { request }: Page, email: string, name = 'Ananya Mehta'): Promise<void> => {
  const person = { name, email, phone: '+91 98200 55501', password: PASSWORD, confirm_password: PASSWORD };
  const registered = await request.post('/api/user/register', { data: person });
  expect(registered.ok(), await registered.text()).toBe(true);
  const { userId }: { userId: string } = await registered.json();
  const verified = await request.post('/api/user/verify-otp', { data: { userId, otp: await codeMailedTo(shop, email) } });
  expect(verified.ok(), await verified.text()).toBe(true);
};

/** Other visitors see a change with a delay. This waits until the answer at this path of the API matches `part`. */
export const seenByOthers = async (shop: BrowserShop, address: string, part: object): Promise<void> => {
  const { page } = await shop.visit('phone');
  await expect.poll(async () => (await page.request.get(address)).json()).toMatchObject(part);
};

export const enter = async ({ request }: Page, person: { readonly email: string; readonly password: string }): Promise<void> => {
  const { email, password } = person;
  const entered = await request.post('/api/user/login', { data: { email, password } });
  expect(entered.ok(), await entered.text()).toBe(true);
};
