import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lookAt } from './faults.ts';
import { openBrowserShop, type BrowserShop, type Screen } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

type Mail = { readonly to: string; readonly subject: string; readonly text: string };
const PASSWORD = 'rosewater-at-dawn';
const NEW_PASSWORD = 'vetiver-after-rain';

/** The newest mail to this address, once there are `count`. */
const mailTo = (address: string, count: number): Promise<string> =>
  vi.waitFor(
    async () => {
      const answer = await fetch(`${shop.url}/dev/mailbox/messages`);
      const messages: Mail[] = await answer.json();
      const [newest, ...older] = messages.filter(({ to }) => to === address);
      if (!newest || older.length + 1 < count) throw new Error(`There are not yet ${count} mails to ${address}`);
      return `${newest.subject}\n${newest.text}`;
    },
    { timeout: 10_000, interval: 100 },
  );

const codeIn = (mail: string): string => /\b\d{6}\b/.exec(mail)?.[0] ?? '';
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

const banner = (page: Page) => page.getByRole('banner');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const pathOf = (page: Page): string => page.url().slice(shop.url.length);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Opens what the shopper has of their own in the header; on a phone it is in the menu. */
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

/** From the empty form to the signed-in shopper, without the detours. */
const signUp = async (page: Page, email: string): Promise<void> => {
  await page.goto('/signup');
  await fillSignUp(page, email);
  await button(page, 'Create Account').click();
  await heading(page, 'Verify Your OTP').waitFor();
  await page
    .getByRole('textbox')
    .locator('visible=true')
    .last()
    .fill(codeIn(await mailTo(email, 1)));
  await button(page, 'Verify OTP').click();
  await page.waitForURL(`${shop.url}/`);
  await heading(page, 'Verify Your OTP').waitFor({ state: 'detached' });
};

/** The line that Chromium writes of its own for each refused call: these, in this order, and nothing else. */
const refusals = (...statuses: readonly number[]) => statuses.map((status) => expect.stringContaining(`status of ${status} `));

describe.each(['phone', 'desktop'] as const)('an account on a %s', (screen) => {
  test('is made with the mailed code, and leads back to where the shopper came from', async () => {
    const email = `ananya-${screen}@example.com`;
    const { page, problems } = await shop.open(screen, '/shop?collection=Oud');
    await goToSignIn(page, screen);
    expect(pathOf(page)).toBe('/signin?from=%2Fshop%3Fcollection%3DOud');
    await lookAt(shop, page, `signin-${screen}`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading(page, 'Join the house').waitFor();
    await fillSignUp(page, email);
    await lookAt(shop, page, `signup-${screen}`);
    await button(page, 'Create Account').click();
    await heading(page, 'Verify Your OTP').waitFor();
    const code = codeIn(await mailTo(email, 1));

    const box = page.locator('input[autocomplete="one-time-code"]');
    await box.fill(otherThan(code));
    await button(page, 'Verify OTP').click();
    await page.getByText('Invalid OTP').waitFor();
    await lookAt(shop, page, `otp-${screen}`);
    await box.fill(code);
    await button(page, 'Verify OTP').click();
    await page.waitForURL('**/shop?collection=Oud');
    // The address changes a moment before the page does, and the menu belongs to the page on which it was opened.
    await heading(page, 'Oud').waitFor();

    await openAccount(page, screen, 'Ananya');
    await banner(page).getByText(email).waitFor();
    await lookAt(shop, page, `account-menu-${screen}`);
    expect(problems).toEqual(refusals(400));
  });

  test('is left with nothing of it in sight, by Back neither', async () => {
    const email = `ravi-${screen}@example.com`;
    const { page, problems } = await shop.open(screen, '/');
    await signUp(page, email);
    await page.goto('/about');
    await logOut(page, screen, 'Ananya');
    expect(pathOf(page)).toBe('/signin');
    await page.goBack();
    await heading(page, 'About Us').waitFor();
    expect(await page.content()).not.toContain('Ananya');
    await page.reload();
    await heading(page, 'About Us').waitFor();
    expect(await page.content()).not.toContain('Ananya');

    await goToSignIn(page, screen);
    await signIn(page, email, 'not the password');
    await page.getByText('Invalid email or password').waitFor();
    await signIn(page, email, PASSWORD);
    await page.waitForURL('**/about');
    await page.reload();
    await openAccount(page, screen, 'Ananya');
    await banner(page).getByText(email).waitFor();
    expect(problems).toEqual(refusals(401));
  });

  test('gets a new password by the mailed link, once', async () => {
    const email = `kabir-${screen}@example.com`;
    const { page, problems } = await shop.open(screen, '/');
    await signUp(page, email);
    await logOut(page, screen, 'Ananya');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    await lookAt(shop, page, `forgot-password-${screen}`);
    await field(page, 'Email').fill(email);
    await button(page, 'Send the Link').click();
    await page.getByText('If there is an account with this address').waitFor();
    await lookAt(shop, page, `forgot-password-sent-${screen}`);

    const link = /http\S+\/reset-password\?token=\S+/.exec(await mailTo(email, 2))?.[0] ?? '';
    const { pathname, search } = new URL(link);
    await page.goto(pathname + search);
    await heading(page, 'Set a new password').waitFor();
    await page.waitForURL('**/reset-password');
    await field(page, 'Password').fill('short');
    await field(page, 'Confirm Password').fill('short');
    await button(page, 'Set the Password').click();
    await page.getByText('Please use at least 8 characters').waitFor();
    await lookAt(shop, page, `reset-password-${screen}`);
    await field(page, 'Password').fill(NEW_PASSWORD);
    await field(page, 'Confirm Password').fill(NEW_PASSWORD);
    await button(page, 'Set the Password').click();
    await page.getByText('Your password is changed. Please sign in.').waitFor();
    await lookAt(shop, page, `reset-password-done-${screen}`);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await signIn(page, email, NEW_PASSWORD);
    await page.waitForURL(`${shop.url}/`);

    await page.goto(pathname + search);
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Confirm Password').fill(PASSWORD);
    await button(page, 'Set the Password').click();
    await page.getByText('This link is not valid any more').waitFor();
    await lookAt(shop, page, `reset-password-used-${screen}`);
    await page.getByRole('link', { name: 'Ask for a New Link' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    expect(problems).toEqual(refusals(400, 400));
  });

  test('has its mails in the mailbox of the shop', async () => {
    const email = `meera-${screen}@example.com`;
    const { page, problems } = await shop.open(screen, '/');
    await signUp(page, email);
    await page.goto('/dev/mailbox');
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('definition').filter({ hasText: email }).waitFor();
    await page.frameLocator('iframe').getByText('Enter this code on the page where you signed up.').waitFor();
    await shop.picture(page, `mailbox-${screen}`);
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    await page.getByText(/Your code is \d{6}/).waitFor();
    // Not with the mail as HTML, into which axe would look as well: the sandbox lets no script run there.
    await lookAt(shop, page, `mailbox-text-${screen}`);
    expect(problems).toEqual([]);
  });
});

test('the menu of the account is walked with the keyboard, and gives the focus back', async () => {
  const { page, problems } = await shop.open('desktop', '/');
  await signUp(page, 'tara@example.com');
  const name = banner(page).getByRole('button', { name: 'Ananya' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await name.focus();
  for (const [key, entry] of [
    ['Enter', 'Cart'],
    ['ArrowDown', 'Orders'],
    ['ArrowDown', 'Account'],
    ['ArrowDown', 'Logout'],
    ['ArrowDown', 'Cart'],
    ['ArrowUp', 'Logout'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(entry);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Ananya');

  await name.click();
  await page.getByRole('menu').waitFor();
  await page.mouse.click(300, 500);
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});
