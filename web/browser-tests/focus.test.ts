import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { checkOut, enter, moveOrder, payOrder, placeOrder, signUp } from './customers.ts';
import { refuseAll, RESTING } from './a11y.ts';
import { findButton, findDialog, findFocus } from './find.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

const DESK = '/admin/site-manager';

const isOn = (page: Page, name: string | RegExp): Promise<void> => expect.poll(() => findFocus(page)).toMatch(name);
const button = (page: Page, name: string | RegExp) => findButton(page, name).filter({ visible: true }).first();

/** Opens the dialog of this button by the keyboard, leaves it by each of these buttons and by Escape, and looks whether the focus comes back. */
const comesBack = async (page: Page, opener: string | RegExp, ...ways: readonly (string | RegExp)[]): Promise<void> => {
  for (const way of [...ways, 'Escape']) {
    await button(page, opener).focus();
    const before = await findFocus(page);
    await page.keyboard.press('Enter');
    await findDialog(page).waitFor();
    if (way === 'Escape') await page.keyboard.press('Escape');
    else await findDialog(page).getByRole('button', { name: way }).last().click();
    await findDialog(page).waitFor({ state: 'hidden' });
    await expect.poll(() => findFocus(page)).toBe(before);
  }
};

test("the focus comes back from each of a shopper's dialogs, and goes to the title when a deed removed its button", async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/shop');
  await comesBack(page, 'Filter & Sort', 'Close', /^Show \d+ perfumes$/);
  await signUp(shop, page, 'focus@example.com');
  await page.goto('/account');
  await comesBack(page, 'Erase my account', 'Keep my account');

  const draft = await checkOut(page);
  await page.goto(`/review-order/${draft._id}`);
  await refuseAll(page, '**/api/order/place-order/*');
  await button(page, 'Place Order').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Resting').waitFor();
  await isOn(page, /^BUTTON Place Order/);
  await page.unrouteAll({ behavior: 'wait' });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/order-confirmed/*');
  await comesBack(page, 'Cancel order', 'Keep order');
  await button(page, 'Cancel order').click();
  await findDialog(page).getByRole('button', { name: 'Cancel order' }).click();
  await isOn(page, /^H1 Cancelled/);
  expect(problems.filter((problem) => !RESTING.test(problem))).toEqual([]);
});

test("the focus comes back from each of the desk's dialogs", async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { page: guest } = await shop.visit('phone');
  const { _id, orderNumber } = await placeOrder(guest);
  const paid = await placeOrder(guest, { method: 'Prepaid' });
  await payOrder(guest, paid);
  await enter(page, admin);
  await page.goto(`${DESK}?view=cards&q=${orderNumber}`);
  await comesBack(page, `Confirm: ${orderNumber}`, 'Leave pending', 'Close');
  await comesBack(page, `Cancel: ${orderNumber}`, 'Keep order');
  await page.goto(`${DESK}?view=cards&q=${paid.orderNumber}`);
  await comesBack(page, `Refund ${paid.orderNumber}`, 'Refund nothing');
  await page.goto(`${DESK}?panel=customers&open=${_id}`);
  await comesBack(page, 'Export the data', 'Not now', 'Close');
  await comesBack(page, 'Erase the data', 'Keep the data');
  await page.goto(`${DESK}?panel=products`);
  await comesBack(page, 'Add Product', 'Add nothing');
  await comesBack(page, /^Edit /, 'Keep as it was');
  await comesBack(page, /^Delete /, 'Keep product');
  await page.goto(`${DESK}?panel=stock`);
  await comesBack(page, /^History of /, 'Done');
  await comesBack(page, 'From a file', 'Close');
  await page.goto(`${DESK}?panel=money`);
  await comesBack(page, 'Courier’s file', 'Close');
  expect(problems).toEqual([]);
});

test('the focus stays near when what a dialog of the desk did removes its button, also a moment later', async () => {
  const { page, problems } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const cash = await placeOrder(page);
  const paid = await placeOrder(page, { method: 'Prepaid' });
  await payOrder(page, paid);
  await enter(page, admin);
  await moveOrder(page, cash, 'confirmed', 'shipped', 'delivered');

  await page.goto(`${DESK}?panel=money&status=with_couriers`);
  await button(page, `Cash arrived of ${cash.orderNumber}`).click();
  await findDialog(page)
    .getByRole('button', { name: /^Book ₹/ })
    .click();
  await expect.poll(() => page.getByRole('button', { name: `Cash arrived of ${cash.orderNumber}` }).count()).toBe(0);
  await isOn(page, /^(BUTTON|A|H2|H3) /);

  await page.goto(`${DESK}?view=cards&q=${paid.orderNumber}`);
  await button(page, `Refund ${paid.orderNumber}`).click();
  await findDialog(page).getByLabel('Reason').fill('Broken');
  await findDialog(page)
    .getByRole('button', { name: /^Refund ₹/ })
    .click();
  await expect.poll(() => page.getByRole('button', { name: `Refund ${paid.orderNumber}` }).count()).toBe(0);
  await isOn(page, new RegExp(`^(BUTTON|A|H3) .*(${paid.orderNumber}|Order)`));
  expect(problems).toEqual([]);
});
