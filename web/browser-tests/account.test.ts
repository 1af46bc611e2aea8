import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lookAt } from './faults.ts';
import { openBrowserShop, type BrowserShop, type Screen } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const PASSWORD = 'rosewater-at-dawn';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const codeFor = (email: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const messages: { to: string; subject: string }[] = await (await fetch(`${shop.url}/dev/mailbox/messages`)).json();
      const mail = messages.find(({ to, subject }) => to === email && /^\d{6} /.test(subject));
      if (!mail) throw new Error(`No mail to ${email} yet`);
      return mail.subject.slice(0, 6);
    },
    { timeout: 20_000, interval: 100 },
  );

/** Signed in as somebody new, at their account, which they were led back to. */
const openAccount = async (screen: Screen, email: string) => {
  const visit = await shop.open(screen, '/signup?from=%2Faccount');
  const { page } = visit;
  for (const [label, text] of [
    ['Name', 'Zubaida Quraishi'],
    ['Email', email],
    ['Phone', '+91 98200 55501'],
    ['Password', PASSWORD],
    ['Confirm Password', PASSWORD],
  ] as const)
    await field(page, label).fill(text);
  await button(page, 'Create Account').click();
  await page.locator('input[autocomplete="one-time-code"]').fill(await codeFor(email));
  await button(page, 'Verify OTP').click();
  await title(page, 'My Account').waitFor();
  return visit;
};

describe.each(['phone', 'desktop'] as const)('the account on a %s', (screen) => {
  test('shows what is known of its holder, and gives all of it as a file', async () => {
    const email = `keeper-${screen}@example.com`;
    const { page, problems } = await openAccount(screen, email);
    await page.locator('main').getByText(email).waitFor();
    await page.locator('main').getByText('+91 98200 55501').waitFor();
    await lookAt(shop, page, `account-${screen}`);

    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download my data').click()]);
    expect(download.suggestedFilename()).toBe('ruhani-my-data.json');
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ account: { email }, orders: [] });
    await page.getByText('Your data are on their way to your downloads').waitFor();
    await lookAt(shop, page, `account-downloaded-${screen}`);
    expect(problems).toEqual([]);
  });

  test('asks for a new sign-in where the last is long ago, and leads back', async () => {
    const email = `returning-${screen}@example.com`;
    const { page } = await openAccount(screen, email);
    const message = 'Please sign in again to download your data: your last sign-in is more than 15 minutes ago';
    await page.route('**/api/user/export', (route) => route.fulfill({ status: 403, json: { message, code: 'sign_in_again' } }), {
      times: 1,
    });
    await button(page, 'Download my data').click();
    await page.getByText(message).waitFor();
    await lookAt(shop, page, `account-sign-in-again-${screen}`);
    await button(page, 'Sign in again').click();
    await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await page.locator('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await title(page, 'My Account').waitFor();
    await Promise.all([page.waitForEvent('download'), button(page, 'Download my data').click()]);
  });

  test('is erased with its password, and not without', async () => {
    const email = `leaver-${screen}@example.com`;
    const { page } = await openAccount(screen, email);
    await button(page, 'Erase my account').click();
    await page.getByRole('dialog', { name: 'Erase your account?' }).waitFor();
    await lookAt(shop, page, `account-erase-${screen}`);
    await button(page, 'Erase for good').click();
    await page.getByText('Required').waitFor();
    await field(page, 'Password').fill('not-this-one');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong password').waitFor();
    await expect.poll(() => field(page, 'Password').evaluate((input) => input === document.activeElement)).toBe(true);
    await lookAt(shop, page, `account-erase-refused-${screen}`);
    await button(page, 'Keep my account').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await title(page, 'My Account').waitFor();

    await button(page, 'Erase my account').click();
    await field(page, 'Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await title(page, 'Goodbye').waitFor();
    await page.getByText('Your account and your data are erased.').waitFor();
    await lookAt(shop, page, `account-erased-${screen}`);
    await page.goto('/account');
    await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
  });

  test('is found in the menu of who is signed in', async () => {
    const { page, problems } = await openAccount(screen, `menu-${screen}@example.com`);
    await page.goto('/about');
    await page.getByRole('button', { name: screen === 'phone' ? 'Menu' : 'Zubaida' }).click();
    await page.getByRole(screen === 'phone' ? 'link' : 'menuitem', { name: 'Account', exact: true }).click();
    await title(page, 'My Account').waitFor();
    expect(problems).toEqual([]);
  });
});
