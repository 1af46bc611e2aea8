import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAt, lookAtBoth } from './faults.ts';
import { admin, holdBack, openBrowserShop, watchShifts, type BrowserShop } from './harness.ts';
import { codeMailedTo, enter, mailTo, PASSWORD, seenByOthers } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

/** Chromium writes a line for each refused call. Only these lines may occur, in this order. */
const refusals = (...statuses: readonly number[]) => statuses.map((status) => expect.stringContaining(`status of ${status} `));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

/** Only this part of the home page is checked, because the page is long and has its own tests. */
const BAND = 'section[aria-labelledby="newsletter"]';

describe('a sold-out perfume', () => {
  const setInStock = async (inStock: boolean): Promise<void> => {
    const { page } = await shop.visit('desktop');
    await enter(page, admin);
    const changed = await page.request.put('/api/product/ruh-gulab', { data: { inStock } });
    expect(changed.ok(), await changed.text()).toBe(true);
    await seenByOthers(shop, '/api/product/ruh-gulab', { inStock });
  };

  test('accepts an address, to which a mail announces its return, with a link that ends all notices', async () => {
    const email = 'waiting@example.com';
    await setInStock(false);
    const { page, problems } = await shop.open('phone', '/about');
    const shifted = await watchShifts(page);
    await page.goto('/product/ruh-gulab');
    const tell = button(page, 'Tell me when it is back');
    await tell.waitFor();
    expect(await shifted()).toBeLessThan(0.01);
    await lookAtBoth(shop, page, 'notice');
    await tell.click();
    await page.getByText('Required').waitFor();
    await field(page, 'Email').fill('not an address');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter a valid e-mail address').waitFor();
    await lookAtBoth(shop, page, 'notice-refused');
    await field(page, 'Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText('Thank you. We will write to you once, when it is in stock again.').waitFor();
    await lookAtBoth(shop, page, 'notice-noted');
    expect(problems).toEqual(refusals(400));

    await setInStock(true);
    const link = /http\S+\/notices\/end\/\S+/.exec(await mailTo(shop, email, /is back/))?.[0] ?? '';
    await page.goto(new URL(link).pathname);
    await button(page, 'End all notices').waitFor();
    await lookAtBoth(shop, page, 'notices-end');
    await button(page, 'End all notices').click();
    await page.getByText('You will get no more of these mails.').waitFor();
    await lookAtBoth(shop, page, 'notices-ended');
    await page.goto(`${new URL(link).pathname}A`);
    await button(page, 'End all notices').click();
    await page.getByText('This link is not valid any more.').waitFor();
    await page.goto('/product/ruh-gulab');
    expect(await tell.count()).toBe(0);
    await page.goto('/dev/mailbox');
    await lookAt(shop, page, 'notice-mail');
  });
});

describe('the newsletter', () => {
  const box = (page: Page) => page.getByRole('region', { name: 'Letters from Kannauj' });
  const address = (page: Page) => box(page).getByLabel('Your email address');

  test('can be joined on the home page, which shows errors and the outcome', async () => {
    const email = 'reader@example.com';
    const { page, problems } = await shop.open('phone', '/');
    await button(page, 'Subscribe').click();
    await box(page).getByText('Please enter your email address').waitFor();
    await address(page).fill('not an address');
    await page.keyboard.press('Enter');
    await box(page).getByText('Please enter a valid e-mail address').waitFor();
    await expect.poll(() => address(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await lookAtBoth(shop, page, 'newsletter-refused', { part: BAND });

    const letGo = await holdBack(page, '**/api/subscribe');
    await address(page).fill(email);
    await page.keyboard.press('Enter');
    await expect.poll(() => button(page, 'Subscribing...').isDisabled()).toBe(true);
    await lookAtBoth(shop, page, 'newsletter-subscribing', { part: BAND });
    letGo();
    await box(page).getByText('Thank you. You are on the list for our letters.').waitFor();
    await expect.poll(() => focused(page)).toBe('Thank you. You are on the list for our letters.');
    await expect.poll(() => address(page).count()).toBe(0);
    await lookAtBoth(shop, page, 'newsletter-joined', { part: BAND });
    expect(problems).toEqual(refusals(400));

    await page.goto('/about');
    await page.goto('/');
    await address(page).fill(` ${email.toUpperCase()} `);
    await page.keyboard.press('Enter');
    await box(page).getByText('You are already subscribed').waitFor();
  });

  test('can be left by the link in its mail, whose token does not stay in the URL', async () => {
    const email = 'leaver@example.com';
    await fetch(`${shop.url}/api/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    const link = new URL(/http\S+\/unsubscribe\S+/.exec(await mailTo(shop, email, /letters/))?.[0] ?? '');
    const { page, problems } = await shop.open('desktop', link.pathname + link.search);
    await page.waitForURL(`${shop.url}/unsubscribe`);
    await page.getByRole('heading', { level: 1, name: 'Leave the letters' }).waitFor();
    await lookAtBoth(shop, page, 'unsubscribe');
    await button(page, 'Unsubscribe').click();
    await page.getByText('You are unsubscribed. No more letters will come.').waitFor();
    await lookAtBoth(shop, page, 'unsubscribe-done');

    await page.goto('/unsubscribe?token=1.none');
    await button(page, 'Unsubscribe').click();
    await page.getByText('This link is not valid any more.').waitFor();
    await lookAtBoth(shop, page, 'unsubscribe-refused');
    await button(page, 'Unsubscribe').click();
    await page.getByText('Required').waitFor();
    await field(page, 'Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByText('You are unsubscribed. No more letters will come.').waitFor();
    expect(problems).toEqual(refusals(400));
  });

  test('starts after the verification when its box was ticked at sign-up', async () => {
    const email = 'consent@example.com';
    const { page, problems } = await shop.open('phone', '/signup');
    for (const [label, text] of [
      ['Name', 'Meera Nair'],
      ['Email', email],
      ['Phone', '+91 98200 55501'],
      ['Password', PASSWORD],
      ['Confirm Password', PASSWORD],
    ] as const)
      await field(page, label).fill(text);
    await page.getByText('Send me letters from Kannauj').click();
    await button(page, 'Create Account').click();
    await page.locator('input[autocomplete="one-time-code"]').fill(await codeMailedTo(shop, email));
    await button(page, 'Verify OTP').click();
    await page.waitForURL(`${shop.url}/`);
    await box(page).getByText('Thank you. You are on the list for our letters.').waitFor();
    expect(await mailTo(shop, email, /letters/)).toContain('/unsubscribe?token=');
    expect(problems).toEqual([]);
  });
});

describe('the contact form', () => {
  const write = async (page: Page) => {
    await field(page, 'Name').fill('Ananya Mehta');
    await field(page, 'Email').fill('ananya@example.com');
    await field(page, 'Message').fill('Which oud should I begin with?\n<script>alert(1)</script>');
  };

  test('shows missing and wrong input field by field', async () => {
    const { page, problems } = await shop.open('phone', '/contact');
    await page.getByRole('heading', { level: 1, name: 'Get in Touch' }).waitFor();
    await lookAtBoth(shop, page, 'contact');
    await button(page, 'Send Message').click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByText('Required').count()).toBe(3);
    await expect.poll(() => field(page, 'Name').evaluate((input) => input === document.activeElement)).toBe(true);
    await lookAtBoth(shop, page, 'contact-missing');

    await write(page);
    await field(page, 'Email').fill('ananya');
    await button(page, 'Send Message').click();
    await page.getByText('Please enter a valid e-mail address').waitFor();
    await lookAtBoth(shop, page, 'contact-refused');
    expect(problems).toEqual(refusals(400));
  });

  test('sends a message and shows the answer', async () => {
    const { page, problems } = await shop.open('desktop', '/contact');
    await write(page);
    const letGo = await holdBack(page, '**/api/contact');
    await button(page, 'Send Message').click();
    await expect.poll(() => button(page, 'Sending...').isDisabled()).toBe(true);
    await lookAtBoth(shop, page, 'contact-sending');
    letGo();
    await page.getByRole('heading', { name: 'Message Sent Successfully!' }).waitFor();
    await page.getByText('Thank you for contacting us. We will reply to ananya@example.com.').waitFor();
    await lookAtBoth(shop, page, 'contact-sent');
    expect(problems).toEqual([]);
  });
});
