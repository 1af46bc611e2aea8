import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { moneyText } from '../lib/format.ts';
import { codeMailedTo, download, mailTo, PASSWORD, payOrder, placeOrder, signUp } from './customers.ts';
import { lookAt } from './faults.ts';
import { shop } from './harness.ts';

const NEW_PASSWORD = 'vetiver-after-rain';

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

const banner = (page: Page) => page.getByRole('banner');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

const goToSignIn = async (page: Page): Promise<void> => {
  await banner(page)
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await heading(page, 'Welcome back').waitFor();
};
const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign In').click();
};
const setPassword = async (page: Page, password: string): Promise<void> => {
  for (const label of ['Password', 'Confirm Password']) await field(page, label).fill(password);
  await button(page, 'Set the Password').click();
};

/** Chromium writes a line for each refused call. Only these lines may occur, in this order. */
const refusals = (...statuses: readonly number[]) => statuses.map((status) => expect.stringContaining(`status of ${status} `));

test('an account is created with the mailed code, which leads to the home page and starts the letters that were asked for', async () => {
  const email = 'ananya@example.com';
  const { page, problems } = await shop.open('desktop', '/about');
  await goToSignIn(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await heading(page, 'Join the house').waitFor();
  for (const [label, text] of Object.entries({ Name: 'Ananya Mehta', Email: email, Phone: '+91 98200 55501' }))
    await field(page, label).fill(text);
  for (const label of ['Password', 'Confirm Password']) await field(page, label).fill(PASSWORD);
  await page.getByText('Send me letters from Kannauj').click();
  await button(page, 'Create Account').click();
  await heading(page, 'Verify Your OTP').waitFor();
  // The form is longer than the screen, and its button is at its end.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  const code = await codeMailedTo(shop, email);

  const box = page.locator('input[autocomplete="one-time-code"]');
  await box.fill(otherThan(code));
  await button(page, 'Verify OTP').click();
  await page.getByText('Invalid OTP').waitFor();
  await lookAt(page, 'otp');
  await box.fill(code);
  await button(page, 'Verify OTP').click();
  await page.waitForURL(`${shop.url}/`);
  // The URL changes before the page does, and the menu belongs to the page on which it was opened.
  await page.getByText('Thank you. You are on the list for our letters.').waitFor();

  await banner(page).getByRole('button', { name: 'Ananya' }).click();
  await banner(page).getByText(email).waitFor();
  await lookAt(page, 'account-menu', 'header');
  expect(problems).toEqual(refusals(400));

  const link = new URL(/http\S+\/unsubscribe\S+/.exec(await mailTo(shop, email, /letters/))?.[0] ?? '');
  await page.goto(link.pathname + link.search);
  await page.waitForURL(`${shop.url}/unsubscribe`);
  await button(page, 'Unsubscribe').click();
  await page.getByText('You are unsubscribed. No more letters will come.').waitFor();
});

test('an account leaves nothing visible after a logout, even with Back', async () => {
  const email = 'ravi@example.com';
  const { page, problems } = await shop.open('phone', '/about');
  await signUp(shop, page, email);
  await page.reload();
  await button(page, 'Menu').click();
  await button(page, 'Logout').click();
  await heading(page, 'Welcome back').waitFor();
  expect(new URL(page.url()).pathname).toBe('/signin');
  await page.goBack();
  await heading(page, 'About Us').waitFor();
  expect(await page.content()).not.toContain('Ananya');
  await page.reload();
  await heading(page, 'About Us').waitFor();
  expect(await page.content()).not.toContain('Ananya');

  await button(page, 'Menu').click();
  await goToSignIn(page);
  await signIn(page, email, 'not the password');
  await page.getByText('Invalid email or password').waitFor();
  await signIn(page, email, PASSWORD);
  await page.waitForURL(`${shop.url}/`);
  await page.reload();
  await button(page, 'Menu').click();
  await banner(page).getByRole('navigation').getByText(email).waitFor();
  await lookAt(page, 'account-menu-phone', 'header');
  expect(problems).toEqual(refusals(401));
});

test('an account gets a new password once by the mailed link', async () => {
  const email = 'kabir@example.com';
  const { page, problems } = await shop.open('desktop', '/signin');
  await signUp(shop, page, email);
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading(page, 'Forgot your password?').waitFor();
  await field(page, 'Email').fill(email);
  await button(page, 'Send the Link').click();
  await page.getByText('If there is an account with this address').waitFor();

  const link = /http\S+\/reset-password\?token=\S+/.exec(await mailTo(shop, email, /./, 2))?.[0] ?? '';
  const { pathname, search } = new URL(link);
  await page.goto(pathname + search);
  await heading(page, 'Set a new password').waitFor();
  await page.waitForURL('**/reset-password');
  await lookAt(page, 'reset-password');
  await setPassword(page, NEW_PASSWORD);
  await page.getByText('Your password is changed. Please sign in.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, email, NEW_PASSWORD);
  await page.waitForURL(`${shop.url}/`);

  await page.goto(pathname + search);
  await setPassword(page, PASSWORD);
  await page.getByText('This link is not valid any more').waitFor();
  expect(problems).toEqual(refusals(400));
});

test("an account has its mails in the shop's development mailbox", async () => {
  const email = 'zubaida@example.com';
  const { page, problems } = await shop.visit('phone');
  await signUp(shop, page, email);
  await page.goto('/dev/mailbox');
  await page.getByRole('link', { name: email }).click();
  await page.getByRole('definition').filter({ hasText: email }).waitFor();
  await page.frameLocator('iframe').getByText('Enter this code on the page where you signed up.').waitFor();
  await page.getByRole('link', { name: 'Text', exact: true }).click();
  await page.getByText(/Your code is \d{6}/).waitFor();
  // The mail is not shown as HTML, because axe would look into it and the sandbox lets no script run there.
  await lookAt(page, 'mailbox-text');
  expect(problems).toEqual([]);
});

test('an account offers all its data as a file after a new sign-in, and is erased with its password', async () => {
  const email = 'keeper@example.com';
  const { page } = await shop.open('desktop', '/signin');
  await signUp(shop, page, email);
  await page.goto('/account');
  const message = 'Please sign in again to download your data: your last sign-in is more than 15 minutes ago';
  await page.route('**/api/user/export', (route) => route.fulfill({ status: 403, json: { message, code: 'sign_in_again' } }), { times: 1 });
  await button(page, 'Download my data').click();
  await page.getByText(message).waitFor();
  await button(page, 'Sign in again').click();
  await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(PASSWORD);
  await page.locator('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await heading(page, 'My Account').waitFor();
  const { name, content } = await download(page, () => button(page, 'Download my data').click());
  expect(name).toBe('ruhani-my-data.json');
  expect(JSON.parse(content)).toMatchObject({ account: { email }, orders: [] });

  const placed = await placeOrder(page, { method: 'Prepaid' });
  await payOrder(page, placed);
  await button(page, 'Erase my account').click();
  await page.getByText(`${placed.orderNumber} will be cancelled, ${moneyText(placed.total)} goes back the way it came.`).waitFor();
  await lookAt(page, 'account-erase');
  await field(page, 'Password').fill('not-this-one');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong password').waitFor();
  await expect.poll(() => field(page, 'Password').evaluate((input) => input === document.activeElement)).toBe(true);
  await lookAt(page, 'account-erase-refused');
  await field(page, 'Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await heading(page, 'Goodbye').waitFor();
  await page.getByText('Your account and your data are erased.').waitFor();
  await page.goto('/account');
  await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
});

test('the account menu works with the keyboard, and returns the focus', async () => {
  const { page, problems } = await shop.open('desktop', '/about');
  await signUp(shop, page, 'tara@example.com');
  await page.reload();
  const name = banner(page).getByRole('button', { name: 'Ananya' });
  await name.focus();
  const menu = page.getByRole('menu', { name: 'Ananya' });
  for (const open of ['Space', 'ArrowDown', 'Enter']) {
    await page.keyboard.press(open);
    await expect.poll(() => focused(page)).toBe('Cart');
    if (open === 'Enter') break;
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Ananya');
  }
  // A shopper may press a key before React knows that the menu is closed.
  await menu.evaluate((opened: HTMLElement) => {
    opened.hidePopover();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  });
  await expect.poll(() => focused(page)).toBe('Cart');
  for (const [key, entry] of Object.entries({ ArrowDown: 'Orders', End: 'Logout', Home: 'Cart', ArrowUp: 'Logout', o: 'Orders' })) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe(entry);
  }
  await page.keyboard.press('Space');
  await page.waitForURL(`${shop.url}/viewAllOrders`);
  await menu.waitFor({ state: 'detached' });
  // Until the page has loaded, the previous one is shown; until the orders have loaded, there is nothing to tab to.
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
  await page.getByRole('main').getByRole('link').first().waitFor();
  await name.click();
  await expect.poll(() => focused(page)).toBe('Cart');
  await page.keyboard.press('Tab');
  await menu.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.getElementById('main')?.contains(document.activeElement))).toBe(true);
  expect(problems).toEqual([]);
});
