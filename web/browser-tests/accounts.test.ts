import type { Page } from 'playwright-core';
import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { moneyText } from '../lib/format.ts';
import { codeMailedTo, download, linkMailedTo, PASSWORD, payOrder, placeOrder, signUp } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton, findTitle } from './find.ts';
import { shop } from './harness.ts';

const NEW_PASSWORD = 'vetiver-after-rain';

const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

const banner = (page: Page) => page.getByRole('banner');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

const goToSignIn = async (page: Page): Promise<void> => {
  await banner(page)
    .getByRole('link', { name: /^sign in$/i })
    .locator('visible=true')
    .click();
  await findTitle(page, 'Welcome back').waitFor();
};
const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await findButton(page, 'Sign In').click();
};
const setPassword = async (page: Page, password: string): Promise<void> => {
  for (const label of ['Password', 'Confirm Password']) await field(page, label).fill(password);
  await findButton(page, 'Set the Password').click();
};

/** Chromium writes a line for each refused call. Only these lines may occur, in this order. */
const refusals = (...statuses: readonly number[]) => statuses.map((status) => expect.stringContaining(`status of ${status} `));

test('an account is created with the mailed code, which leads to the home page and starts the letters that were asked for', async () => {
  const email = 'ananya@example.com';
  const { page, problems } = await shop.open('desktop', '/about');
  await goToSignIn(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await findTitle(page, 'Join the house').waitFor();
  for (const [label, text] of Object.entries({ Name: 'Ananya Mehta', Email: email, Phone: '+91 98200 55501' }))
    await field(page, label).fill(text);
  for (const label of ['Password', 'Confirm Password']) await field(page, label).fill(PASSWORD);
  await page.getByText('Send me letters from Kannauj').click();
  await findButton(page, 'Create Account').click();
  await findTitle(page, 'Verify Your OTP').waitFor();
  // The form is longer than the screen, and its button is at its end.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  const code = await codeMailedTo(shop, email);

  const box = page.locator('input[autocomplete="one-time-code"]');
  await box.fill(otherThan(code));
  await findButton(page, 'Verify OTP').click();
  await page.getByText('Invalid OTP').waitFor();
  await lookAt(page, 'otp');
  await box.fill(code);
  await findButton(page, 'Verify OTP').click();
  await page.waitForURL(`${shop.url}/`);
  // The URL changes before the page does, and the menu belongs to the page on which it was opened.
  await page.getByText('Thank you. You are on the list for our letters.').waitFor();

  await banner(page).getByRole('button', { name: 'Ananya' }).click();
  await banner(page).getByText(email).waitFor();
  await lookAt(page, 'account-menu', 'header');
  expect(problems).toEqual(refusals(400));

  await page.goto(await linkMailedTo(shop, email, '/unsubscribe', /letters/));
  await page.waitForURL(`${shop.url}/unsubscribe`);
  await findButton(page, 'Unsubscribe').click();
  await page.getByText('You are unsubscribed. No more letters will come.').waitFor();
});

test('an account leaves nothing visible after a logout, even with Back', async () => {
  const email = 'ravi@example.com';
  const { page, problems } = await shop.open('phone', '/about');
  await signUp(shop, page, email);
  await page.reload();
  await findButton(page, 'Menu').click();
  await findButton(page, 'Logout').click();
  await findTitle(page, 'Welcome back').waitFor();
  expect(new URL(page.url()).pathname).toBe('/signin');
  await page.goBack();
  await findTitle(page, 'About Us').waitFor();
  expect(await page.content()).not.toContain('Ananya');
  await page.reload();
  await findTitle(page, 'About Us').waitFor();
  expect(await page.content()).not.toContain('Ananya');

  await findButton(page, 'Menu').click();
  await goToSignIn(page);
  await signIn(page, email, 'not the password');
  await page.getByText('Invalid email or password').waitFor();
  await signIn(page, email, PASSWORD);
  await page.waitForURL(`${shop.url}/`);
  await page.reload();
  await findButton(page, 'Menu').click();
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
  await findTitle(page, 'Forgot your password?').waitFor();
  await field(page, 'Email').fill(email);
  await findButton(page, 'Send the Link').click();
  await page.getByText('If there is an account with this address').waitFor();

  const link = await linkMailedTo(shop, email, '/reset-password', /./, 2);
  await page.goto(link);
  await findTitle(page, 'Set a new password').waitFor();
  await page.waitForURL('**/reset-password');
  await lookAt(page, 'reset-password');
  await setPassword(page, NEW_PASSWORD);
  await page.getByText('Your password is changed. Please sign in.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  await signIn(page, email, NEW_PASSWORD);
  await page.waitForURL(`${shop.url}/`);

  await page.goto(link);
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
  await findButton(page, 'Download my data').click();
  await page.getByText(message).waitFor();
  await findButton(page, 'Sign in again').click();
  await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(PASSWORD);
  await page.locator('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await findTitle(page, 'Your account').waitFor();
  const { name, content } = await download(page, () => findButton(page, 'Download my data').click());
  expect(name).toBe('ruhani-my-data.json');
  expect(JSON.parse(content)).toMatchObject({ account: { email }, orders: [] });

  const placed = await placeOrder(page, { method: 'Prepaid' });
  await payOrder(page, placed);
  // The dialog reads the list, which follows the log.
  await expect.poll(async () => (await page.request.get('/api/order/get-AllOrders')).text()).toContain('"status":"paid"');
  await findButton(page, 'Erase my account').click();
  await page
    .getByText(
      `${placed.orderNumber} will be cancelled, ${moneyText(placed.total)} goes back the way it came, usually within 7–10 business days.`,
    )
    .waitFor();
  await lookAt(page, 'account-erase');
  const password = page.getByRole('dialog').getByLabel('Password');
  await password.fill('not-this-one');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong password').waitFor();
  await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
  await lookAt(page, 'account-erase-refused');
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await findTitle(page, 'Goodbye').waitFor();
  await page.getByText('Your account and your data are erased.').waitFor();
  await page.goto('/account');
  await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
});

const codeOf = (secret: string, steps = 0): string => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

/** Other than the codes that are accepted now or in the next minute. */
const otherThanCodesOf = (secret: string): string => {
  const near = [-1, 0, 1, 2, 3].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
};

test('an account gets a second factor by keyboard, signs in with it, and ends its other session', async () => {
  const email = 'careful@example.com';
  const { page } = await shop.open('phone', '/signin');
  await signUp(shop, page, email);
  await page.goto('/account#second-factor');
  await page.getByText(/with the house since/).waitFor();
  await lookAt(page, 'account');
  await findButton(page, 'Turn it on').focus();
  await page.keyboard.press('Enter');
  const digits = field(page, 'Enter the six digits that it shows.');
  await expect.poll(() => digits.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByText('Type it in instead').click();
  await lookAt(page, 'account-second-factor');
  const secret = ((await page.locator('details p').textContent()) ?? '').replaceAll(' ', '');
  await digits.fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Keep these ten codes' }).waitFor();
  await lookAt(page, 'account-codes');
  const recovery = (await page.getByRole('dialog').getByRole('listitem').first().textContent()) ?? '';
  await findButton(page, 'I have kept them').click();
  await page.getByText('10 recovery codes left').waitFor();

  const { page: other } = await shop.open('desktop', '/signin?from=%2Faccount');
  await signIn(other, email, PASSWORD);
  await findTitle(other, 'Your second factor').waitFor();
  await lookAt(other, 'second-factor');
  await field(other, 'Six-digit code').fill(otherThanCodesOf(secret));
  await other.keyboard.press('Enter');
  await other.getByText('Wrong code').waitFor();
  // The code of this step may have counted already. The next step's is accepted early.
  await field(other, 'Six-digit code').fill(codeOf(secret, 1));
  await other.keyboard.press('Enter');
  await findTitle(other, 'Your account').waitFor();
  await lookAt(other, 'account-desktop');
  await other.getByRole('button', { name: /^End / }).click();
  await other.getByText(/is signed out\.$/).waitFor();
  await page.goto('/viewAllOrders');
  await page.waitForURL(/\/signin/);

  await signIn(page, email, PASSWORD);
  await findButton(page, 'Use a recovery code').click();
  await field(page, 'Recovery code').fill(recovery);
  await page.keyboard.press('Enter');
  // The address of the sign-in page names this page too.
  await page.waitForURL(`${shop.url}/viewAllOrders`);
});

test('an account gets another address, which its former one takes back', async () => {
  const [email, next] = ['moving@example.com', 'moved@example.com'];
  const { page } = await shop.open('desktop', '/signin');
  await signUp(shop, page, email);
  await page.goto('/account');
  await findButton(page, 'Change e-mail').click();
  await field(page, 'New e-mail').fill(next);
  await field(page, 'Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await field(page, 'Code from the mail').fill(await codeMailedTo(shop, next));
  await page.keyboard.press('Enter');
  await page.getByText('Your e-mail address is changed.').waitFor();
  await page.locator('#email').getByText(next).waitFor();

  const { page: owner, problems } = await shop.open('phone', '/about');
  await owner.goto(await linkMailedTo(shop, email, '/take-back-email', /^E-mail address changed/));
  await owner.waitForURL(`${shop.url}/take-back-email`);
  await lookAt(owner, 'take-back-email');
  await findButton(owner, 'Take it back').click();
  await owner.getByText('Your account has this address again').waitFor();
  expect(problems).toEqual([]);
  await page.goto('/account');
  await page.waitForURL(/\/signin/);
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
