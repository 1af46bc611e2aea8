import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAt, lookAtBoth } from './faults.ts';
import { openBrowserShop, type BrowserShop, type Screen } from './harness.ts';
import { codeMailedTo, mailTo, PASSWORD, signUp } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const NEW_PASSWORD = 'vetiver-after-rain';

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

const banner = (page: Page) => page.getByRole('banner');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const pathOf = (page: Page): string => page.url().slice(shop.url.length);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Opens the account menu in the header; on a phone it is in the mobile menu. */
const openAccount = async (page: Page, screen: Screen, firstName?: string): Promise<void> => {
  if (screen === 'phone') await button(page, 'Menu').click();
  else if (firstName) await banner(page).getByRole('button', { name: firstName }).click();
};
const goToSignIn = async (page: Page, screen: Screen): Promise<void> => {
  await openAccount(page, screen);
  await banner(page)
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await heading(page, 'Welcome back').waitFor();
};
const logOut = async (page: Page, screen: Screen, firstName: string): Promise<void> => {
  await openAccount(page, screen, firstName);
  await page.getByRole(screen === 'phone' ? 'button' : 'menuitem', { name: 'Logout' }).click();
  await heading(page, 'Welcome back').waitFor();
};
const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await button(page, 'Sign In').click();
};

const fillSignUp = async (page: Page, email: string): Promise<void> => {
  await field(page, 'Name').fill('Ananya Mehta');
  await field(page, 'Email').fill(email);
  await field(page, 'Phone').fill('+91 98200 55501');
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm Password').fill(PASSWORD);
};

/** Chromium writes a line for each refused call. Only these lines may occur, in this order. */
const refusals = (...statuses: readonly number[]) => statuses.map((status) => expect.stringContaining(`status of ${status} `));

describe('an account', () => {
  test('is created with the mailed code, which leads to the home page', async () => {
    const email = 'ananya@example.com';
    const { page, problems } = await shop.open('desktop', '/shop?collection=Oud');
    await goToSignIn(page, 'desktop');
    expect(pathOf(page)).toBe('/signin');
    await lookAtBoth(shop, page, 'signin');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Join the house').waitFor();
    await fillSignUp(page, email);
    await lookAtBoth(shop, page, 'signup');
    await button(page, 'Create Account').click();
    await heading(page, 'Verify Your OTP').waitFor();
    // The form is longer than the screen, and its button is at its end.
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    const code = await codeMailedTo(shop, email);

    const box = page.locator('input[autocomplete="one-time-code"]');
    await box.fill(otherThan(code));
    await button(page, 'Verify OTP').click();
    await page.getByText('Invalid OTP').waitFor();
    await lookAtBoth(shop, page, 'otp');
    await box.fill(code);
    await button(page, 'Verify OTP').click();
    await page.waitForURL(`${shop.url}/`);
    // The URL changes before the page does, and the menu belongs to the page on which it was opened.
    await page.getByRole('heading', { name: 'Bestsellers' }).waitFor();

    await openAccount(page, 'desktop', 'Ananya');
    await banner(page).getByText(email).waitFor();
    await lookAt(shop, page, 'account-menu-desktop');
    expect(problems).toEqual(refusals(400));
  });

  test('leaves nothing visible after a logout, even with Back', async () => {
    const email = 'ravi@example.com';
    const { page, problems } = await shop.open('phone', '/');
    await signUp(shop, page, email);
    await page.goto('/about');
    await logOut(page, 'phone', 'Ananya');
    expect(pathOf(page)).toBe('/signin');
    await page.goBack();
    await heading(page, 'About Us').waitFor();
    expect(await page.content()).not.toContain('Ananya');
    await page.reload();
    await heading(page, 'About Us').waitFor();
    expect(await page.content()).not.toContain('Ananya');

    await goToSignIn(page, 'phone');
    await signIn(page, email, 'not the password');
    await page.getByText('Invalid email or password').waitFor();
    await signIn(page, email, PASSWORD);
    await page.waitForURL(`${shop.url}/`);
    await page.reload();
    await openAccount(page, 'phone', 'Ananya');
    await banner(page).getByRole('navigation').getByText(email).waitFor();
    await lookAt(shop, page, 'account-menu-phone');
    expect(problems).toEqual(refusals(401));
  });

  test('gets a new password once by the mailed link', async () => {
    const email = 'kabir@example.com';
    const { page, problems } = await shop.open('desktop', '/');
    await signUp(shop, page, email);
    await page.reload();
    await logOut(page, 'desktop', 'Ananya');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    await lookAtBoth(shop, page, 'forgot-password');
    await field(page, 'Email').fill(email);
    await button(page, 'Send the Link').click();
    await page.getByText('If there is an account with this address').waitFor();
    await lookAtBoth(shop, page, 'forgot-password-sent');

    const link = /http\S+\/reset-password\?token=\S+/.exec(await mailTo(shop, email, /./, 2))?.[0] ?? '';
    const { pathname, search } = new URL(link);
    await page.goto(pathname + search);
    await heading(page, 'Set a new password').waitFor();
    await page.waitForURL('**/reset-password');
    await field(page, 'Password').fill('short');
    await field(page, 'Confirm Password').fill('short');
    await button(page, 'Set the Password').click();
    await page.getByText('Please use at least 8 characters').waitFor();
    await lookAtBoth(shop, page, 'reset-password');
    await field(page, 'Password').fill(NEW_PASSWORD);
    await field(page, 'Confirm Password').fill(NEW_PASSWORD);
    await button(page, 'Set the Password').click();
    await page.getByText('Your password is changed. Please sign in.').waitFor();
    await lookAtBoth(shop, page, 'reset-password-done');
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await signIn(page, email, NEW_PASSWORD);
    await page.waitForURL(`${shop.url}/`);

    await page.goto(pathname + search);
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Confirm Password').fill(PASSWORD);
    await button(page, 'Set the Password').click();
    await page.getByText('This link is not valid any more').waitFor();
    await lookAtBoth(shop, page, 'reset-password-used');
    await page.getByRole('link', { name: 'Ask for a New Link' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(problems).toEqual(refusals(400, 400));
  });

  test("has its mails in the shop's development mailbox", async () => {
    const email = 'meera@example.com';
    const { page, problems } = await shop.visit('phone');
    await signUp(shop, page, email);
    await page.goto('/dev/mailbox');
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('definition').filter({ hasText: email }).waitFor();
    await page.frameLocator('iframe').getByText('Enter this code on the page where you signed up.').waitFor();
    await shop.picture(page, 'mailbox-phone');
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    await page.getByText(/Your code is \d{6}/).waitFor();
    // The mail is not shown as HTML, because axe would look into it and the sandbox lets no script run there.
    await lookAtBoth(shop, page, 'mailbox-text');
    expect(problems).toEqual([]);
  });
});

test('the account menu works with the keyboard, and returns the focus', async () => {
  const { page, problems } = await shop.open('desktop', '/');
  await signUp(shop, page, 'tara@example.com');
  await page.reload();
  const name = banner(page).getByRole('button', { name: 'Ananya' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await name.focus();
  const menu = page.getByRole('menu', { name: 'Ananya' });
  for (const open of ['Enter', 'Space', 'ArrowDown']) {
    await page.keyboard.press(open);
    await expect.poll(focused).toBe('Cart');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Ananya');
  }
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Cart');
  // A shopper may press a key before React knows that the menu is closed.
  await menu.evaluate((opened: HTMLElement) => {
    opened.hidePopover();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  });
  await expect.poll(focused).toBe('Cart');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  for (const [key, entry] of [
    ['Enter', 'Cart'],
    ['ArrowDown', 'Orders'],
    ['ArrowDown', 'Account'],
    ['ArrowDown', 'Logout'],
    ['ArrowDown', 'Cart'],
    ['ArrowUp', 'Logout'],
    ['Home', 'Cart'],
    ['End', 'Logout'],
    ['o', 'Orders'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(entry);
  }
  await page.keyboard.press('Space');
  await page.waitForURL(`${shop.url}/viewAllOrders`);
  await menu.waitFor({ state: 'detached' });
  // Until the page has loaded, the previous one is shown; until the orders have loaded, there is nothing to tab to.
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor();
  await page.getByRole('main').getByRole('link').first().waitFor();
  await name.click();
  await expect.poll(focused).toBe('Cart');
  await page.keyboard.press('Tab');
  await menu.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.getElementById('main')?.contains(document.activeElement))).toBe(true);

  await name.click();
  await menu.waitFor();
  await page.mouse.click(300, 500);
  await menu.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});
