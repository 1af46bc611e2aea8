import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answered, enter, mailTo, placeOrder, signUp } from './customers.ts';
import { hasNoFaults, lookAt } from './faults.ts';
import { countClicks, findButton, findTitle } from './find.ts';
import { openBrowserShop } from './harness.ts';
import { admin } from './servers.ts';

/** The counts of the lists are exact only in an own shop. */
let shop: Awaited<ReturnType<typeof openBrowserShop>>;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const DESK = '/admin/site-manager';
const SHOPPER = 'meera@example.com';
/** Two people and a dozen screens take long on a busy machine. */
const LONG_MS = 600_000;

const press = (page: Page, name: string | RegExp) => findButton(page, name).first().click();

const openDesk = async (panel = 'orders'): Promise<Page> => {
  const { page } = await shop.visit('desktop', 'newcomer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, admin);
  await page.goto(`${DESK}?panel=${panel}&view=table`);
  return page;
};

/** Buys two perfumes and pays by UPI, on the pages alone. */
const buy = async (page: Page): Promise<string> => {
  for (const name of ['Oud Saffron Majlis', 'Ruh Gulab']) {
    await page.goto(`/product/${name.toLowerCase().replaceAll(' ', '-')}`);
    await press(page, /^add to cart/i);
    await page
      .getByText(/in your cart|added to/i)
      .first()
      .waitFor();
  }
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Proceed to Checkout' }).click();
  const address = { Name: 'Meera Nair', Phone: '+91 98470 00000', Email: SHOPPER, 'Address line 1': '14 Marine Drive', City: 'Kochi' };
  for (const [label, value] of Object.entries({ ...address, 'Postal code': '682031' }))
    await page.getByRole('textbox', { name: label, exact: true }).fill(value);
  await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Kerala');
  await press(page, 'Complete Payment');
  await findTitle(page, 'Review Your Order').waitFor();
  await page.getByRole('radio', { name: 'Prepaid' }).check({ force: true });
  await press(page, 'Place Order');
  await findTitle(page, 'One step left').waitFor();
  await lookAt(page, 'life-due');
  await press(page, /^Pay ₹/);
  await press(page, 'Pay by UPI');
  await page
    .getByText(/^Paid ₹[\d,.]+ by UPI on /)
    .first()
    .waitFor();
  return (
    (await page
      .getByText(/^RH-[2-9A-Z]{8}$/)
      .first()
      .textContent()) ?? ''
  );
};

test('an order lives from the cart to a review, with a shopper on a phone and the desk beside it', { timeout: LONG_MS }, async () => {
  const { page: shopper, problems } = await shop.visit('phone', 'newcomer');
  await shopper.emulateMedia({ reducedMotion: 'reduce' });
  await shopper.goto('/about');
  await signUp(shop, shopper, SHOPPER);
  const number = await buy(shopper);
  const mailed = (subject: RegExp) => mailTo(shop, SHOPPER, subject);
  await mailed(/is placed$/);

  const desk = await openDesk();
  await desk.getByRole('link', { name: number, exact: true }).click();
  const drawer = desk.getByRole('dialog', { name: `Order ${number}` });
  const deed = async (name: string, fill: Readonly<Record<string, string>> = {}, words = name): Promise<void> => {
    await drawer.getByRole('button', { name: `${name}: ${number}` }).click();
    const dialog = desk.getByRole('dialog', { name: `${words}: ${number}` });
    for (const [label, text] of Object.entries(fill)) await dialog.getByLabel(label).fill(text);
    await dialog.getByRole('button', { name: words, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await deed('Confirm', {}, 'Confirm order');
  await findTitle(shopper, 'Being packed').waitFor();
  await lookAt(shopper, 'life-packed');
  await drawer.getByRole('button', { name: `Mark packed: ${number}` }).click();
  await drawer.getByRole('button', { name: `Not packed yet: ${number}` }).waitFor();
  await deed('Mark shipped', {
    Courier: 'Delhivery',
    'Tracking number': '7700 1',
    'Link to follow the parcel': 'https://courier.example/77001',
  });
  await findTitle(shopper, 'On its way').waitFor();
  await shopper.getByRole('link', { name: /^Track your order/ }).waitFor();
  await lookAt(shopper, 'life-shipped');
  expect(await mailed(/is on its way$/)).toContain('https://courier.example/77001');
  await deed('Mark delivered');
  await findTitle(shopper, 'Delivered').waitFor();

  await press(shopper, 'Return order');
  const back = shopper.getByRole('dialog');
  await back.getByLabel('Ruh Gulab').selectOption('1');
  await back.getByText('No, all are sealed', { exact: true }).click();
  await back.getByRole('textbox', { name: 'Reason' }).fill('Too sweet for me');
  await back.getByRole('button', { name: 'Return order' }).click();
  await findTitle(shopper, 'We have your wish').waitFor();

  // A refund costs the desk a decision and a receipt.
  await desk.goto(`${DESK}?panel=returns`);
  await desk.getByText('Too sweet for me').waitFor();
  const clicks = await countClicks(desk);
  await press(desk, 'Accept return');
  await findTitle(shopper, 'Your return is on its way back').waitFor();
  await lookAt(shopper, 'life-return');
  await desk.getByRole('button', { name: /^To receive/ }).click();
  // The list before it shows the same form, which ends with that list.
  await desk.getByRole('button', { name: /^To receive/, pressed: true }).waitFor();
  await expect.poll(() => desk.locator('[aria-busy=true]').count()).toBe(0);
  await desk.getByText('Back into stock', { exact: true }).click();
  await press(desk, /^Received: refund ₹/);
  await findTitle(shopper, 'Your return has come').waitFor();
  await shopper.getByRole('link', { name: /^Credit note RC/ }).waitFor();
  await shopper
    .getByText(/^.*₹[\d,.]+ went back to you\./)
    .first()
    .waitFor();
  expect(clicks()).toBeLessThanOrEqual(4);
  for (const end of ['is paid', 'is confirmed', 'was delivered', 'has a return', 'may come back', 'is back with us', 'has a refund'])
    await mailed(new RegExp(`${end}$`));

  await shopper.goto('/product/oud-saffron-majlis#write-review');
  const review = shopper.getByRole('group', { name: 'Your review' });
  await review.getByLabel('4 of 5 stars').check({ force: true });
  await review.getByLabel('In your words').fill('Smoke first, then a long warm evening.');
  await review.getByRole('button', { name: 'Post review' }).click();
  await review.getByText('Thank you. Your review is on the page.').waitFor();
  await shopper.reload();
  await shopper.getByText('Smoke first, then a long warm evening.').first().waitFor();
  await lookAt(shopper, 'life-review');
  await desk.goto(`${DESK}?panel=reviews`);
  await desk.getByText('Smoke first, then a long warm evening.').waitFor();
  expect(problems).toEqual([]);
});

test('a message is answered in two clicks, and every panel is without faults at both widths', { timeout: LONG_MS }, async () => {
  const { page: shopper } = await shop.visit('phone', 'newcomer');
  await placeOrder(shopper, { giftMessage: 'For Amma' });
  const wrote = { name: 'Tara', email: 'tara@example.com', phone: '', message: 'Is Ruh Gulab sealed with wax?' };
  await answered(await shopper.request.post('/api/contact', { data: wrote }));
  const desk = await openDesk('messages');
  await desk.getByText(wrote.message).first().waitFor();
  const clicks = await countClicks(desk);
  await desk.getByLabel('Your answer').click();
  await desk.keyboard.type('Yes, with red wax.');
  await press(desk, 'Send answer');
  await desk.getByRole('heading', { name: 'Nobody waits' }).waitFor();
  expect(clicks()).toBeLessThanOrEqual(2);
  await expect.poll(() => desk.evaluate(() => document.activeElement?.textContent)).toBe('Contact Messages');
  expect(await mailTo(shop, wrote.email)).toContain('Yes, with red wax.');

  const links = desk.getByRole('navigation', { name: 'Panels' }).locator('a[href*="panel="]');
  const panels = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  expect(panels.length).toBeGreaterThanOrEqual(10);
  for (const panel of panels) {
    for (const width of [390, 1440]) {
      await desk.setViewportSize({ width, height: 900 });
      await desk.goto(String(panel));
      await desk.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
      await desk.waitForLoadState('networkidle');
      if (width === 390) await hasNoFaults(desk);
    }
    await lookAt(desk, `panel-${panel?.split('=')[1]}`);
  }
});
