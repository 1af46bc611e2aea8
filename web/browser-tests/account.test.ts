import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtBoth } from './faults.ts';
import { openBrowserShop, type BrowserShop, type Screen } from './harness.ts';
import { PASSWORD, signUp } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Signs up a new user and opens their account. */
const openAccount = async (screen: Screen, email: string) => {
  const visit = await shop.visit(screen);
  const { page } = visit;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signUp(shop, page, email, 'Zubaida Quraishi');
  await page.goto('/account');
  await title(page, 'My Account').waitFor();
  return visit;
};

describe('the account page', () => {
  test("shows the user's data and offers all of it as a file", async () => {
    const email = 'keeper@example.com';
    const { page, problems } = await openAccount('phone', email);
    await page.locator('main').getByText(email).waitFor();
    await page.locator('main').getByText('+91 98200 55501').waitFor();
    await lookAtBoth(shop, page, 'account');

    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download my data').click()]);
    expect(download.suggestedFilename()).toBe('ruhani-my-data.json');
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ account: { email }, orders: [] });
    await page.getByText('Your data are on their way to your downloads').waitFor();
    await lookAtBoth(shop, page, 'account-downloaded');
    expect(problems).toEqual([]);
  });

  test('asks for a new sign-in when the last one is too old, and returns afterwards', async () => {
    const email = 'returning@example.com';
    const { page } = await openAccount('desktop', email);
    const message = 'Please sign in again to download your data: your last sign-in is more than 15 minutes ago';
    await page.route('**/api/user/export', (route) => route.fulfill({ status: 403, json: { message, code: 'sign_in_again' } }), {
      times: 1,
    });
    await button(page, 'Download my data').click();
    await page.getByText(message).waitFor();
    await lookAtBoth(shop, page, 'account-sign-in-again');
    await button(page, 'Sign in again').click();
    await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
    await field(page, 'Email').fill(email);
    await field(page, 'Password').fill(PASSWORD);
    await page.locator('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await title(page, 'My Account').waitFor();
    await Promise.all([page.waitForEvent('download'), button(page, 'Download my data').click()]);
  });

  test('erases the account with its password, and not without', async () => {
    const email = 'leaver@example.com';
    const { page } = await openAccount('phone', email);
    await button(page, 'Erase my account').click();
    await page.getByRole('dialog', { name: 'Erase your account?' }).waitFor();
    await lookAtBoth(shop, page, 'account-erase');
    await button(page, 'Erase for good').click();
    await page.getByText('Required').waitFor();
    await field(page, 'Password').fill('not-this-one');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong password').waitFor();
    await expect.poll(() => field(page, 'Password').evaluate((input) => input === document.activeElement)).toBe(true);
    await lookAtBoth(shop, page, 'account-erase-refused');
    await button(page, 'Keep my account').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await title(page, 'My Account').waitFor();

    await button(page, 'Erase my account').click();
    await field(page, 'Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await title(page, 'Goodbye').waitFor();
    await page.getByText('Your account and your data are erased.').waitFor();
    await lookAtBoth(shop, page, 'account-erased');
    await page.goto('/account');
    await page.waitForURL(`${shop.url}/signin?from=%2Faccount`);
  });
});
