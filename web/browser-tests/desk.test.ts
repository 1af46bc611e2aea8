import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter, payOrder, placeOrder, type Placed } from './customers.ts';
import { lookAt } from './faults.ts';
import { countClicks } from './find.ts';
import { openBrowserShop } from './harness.ts';
import { admin } from './servers.ts';

/** The counts of the lists are exact only in an own shop. */
let shop: Awaited<ReturnType<typeof openBrowserShop>>;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const DESK = '/admin/site-manager';
const TWENTY = 20;
const MOST_CLICKS = 8;
/** Twenty orders take long on a busy machine. */
const LONG_MS = 600_000;

const openDesk = async (): Promise<Page> => {
  const { page } = await shop.visit('desktop', 'newcomer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter(page, admin);
  await page.goto(`${DESK}?view=table`);
  await page.getByRole('button', { name: /^To confirm/ }).waitFor();
  return page;
};

/** Twenty shoppers order and pay. */
const payTwenty = async (): Promise<readonly Placed[]> => {
  const { page } = await shop.visit('desktop', 'newcomer');
  const placed: Placed[] = [];
  for (let nth = 0; nth < TWENTY; nth++) {
    const order = await placeOrder(page, { method: 'Prepaid', shipping: { name: `Shopper ${nth}` } });
    await payOrder(page, order);
    placed.push(order);
  }
  return placed;
};

const sheetOf = (orders: readonly Placed[]): string =>
  ['Order\tCourier\tNumber', ...orders.map(({ orderNumber }, nth) => `${orderNumber}\tDelhivery\t77${nth}`)].join('\n');

/** Waits until the list of those to confirm is there. The list before it may have had as many rows. */
const isListed = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: `To confirm ${TWENTY}`, pressed: true }).waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  await expect.poll(() => page.getByRole('row').count()).toBe(TWENTY + 1);
};

const copy = (page: Page, text: string) => page.evaluate((copied) => navigator.clipboard.writeText(copied), text);

const areShipped = async (page: Page, orders: readonly Placed[]): Promise<void> => {
  await page.getByText(`${TWENTY} of ${TWENTY} done.`).waitFor();
  for (const [nth, { _id }] of orders.entries()) {
    const { status, shipment } = await (await page.request.get(`/api/order/get-order/${_id}`)).json();
    expect([status, shipment]).toMatchObject(['shipped', { courier: 'Delhivery', trackingNumber: `77${nth}` }]);
  }
};

test('twenty paid orders are confirmed and shipped by the mouse in at most eight clicks', { timeout: LONG_MS }, async () => {
  const orders = await payTwenty();
  const page = await openDesk();
  await copy(page, sheetOf(orders));
  const clicks = await countClicks(page);
  const click = async (name: string | RegExp, role: 'button' | 'checkbox' = 'button'): Promise<void> => {
    const target = page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) });
    // The box itself is hidden behind its mark, which is clicked.
    await (role === 'checkbox' ? target.locator('..') : target).click();
  };
  await click(`To confirm ${TWENTY}`);
  await isListed(page);
  await lookAt(page, 'desk-orders');
  await click('Select all shown', 'checkbox');
  await click(`Confirm ${TWENTY} orders`);
  await click(`Ship ${TWENTY} orders`);
  await click('Paste');
  await page.getByText(`${TWENTY} of ${TWENTY} have a number.`).waitFor();
  await lookAt(page, 'desk-ship');
  await click(`Ship ${TWENTY} orders`);
  await areShipped(page, orders);
  await lookAt(page, 'desk-ship-progress');
  expect(clicks()).toBeLessThanOrEqual(MOST_CLICKS);
});

test('twenty paid orders are confirmed and shipped by the keyboard alone', { timeout: LONG_MS }, async () => {
  const orders = await payTwenty();
  const page = await openDesk();
  await copy(page, sheetOf(orders));
  let pressed = 0;
  /** Goes on with Tab until the focus has come to the control of this name. */
  const tabTo = async (name: string): Promise<void> => {
    const label = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return at?.matches('button, input') ? (at.getAttribute('aria-label') ?? at.textContent).trim() : '';
      });
    for (let tabs = 0; tabs < 400 && (await label()) !== name; tabs++) await page.keyboard.press('Tab');
    expect(await label()).toBe(name);
  };
  const press = async (key: string, at?: string): Promise<void> => {
    if (at !== undefined) await tabTo(at);
    await page.keyboard.press(key);
    pressed += 1;
  };
  await press('Enter', `To confirm ${TWENTY}`);
  await isListed(page);
  await press('Space', 'Select all shown');
  await press('Enter', `Confirm ${TWENTY} orders`);
  await page.getByText(`${TWENTY} of ${TWENTY} done.`).waitFor();
  await press('Enter', `Ship ${TWENTY} orders`);
  await page.getByRole('heading', { name: `Ship ${TWENTY} orders` }).waitFor();
  await press('Control+V');
  await page.getByText(`${TWENTY} of ${TWENTY} have a number.`).waitFor();
  await press('Enter', `Ship ${TWENTY} orders`);
  await areShipped(page, orders);
  expect(pressed).toBeLessThanOrEqual(MOST_CLICKS);
});

test('the frame begins its content within 220 px, and an order opens beside its list and alone on a phone', async () => {
  const { page: shopper } = await shop.visit('desktop', 'newcomer');
  const { orderNumber } = await placeOrder(shopper, { giftMessage: 'For Amma' });
  const page = await openDesk();
  const box = await page.getByRole('heading', { level: 2, name: 'Orders' }).boundingBox();
  expect(box?.y).toBeLessThanOrEqual(220);
  await page.getByRole('link', { name: orderNumber, exact: true }).click();
  const drawer = page.getByRole('dialog', { name: `Order ${orderNumber}` });
  await drawer.getByText('For Amma').waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await lookAt(page, 'desk-orders-open');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await lookAt(page, 'desk-keys', 'dialog');
  await page.keyboard.press('Escape');
  await page.goto(DESK);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Choose a panel$/ }).click();
  await page.getByRole('dialog', { name: 'Site Manager' }).getByRole('link', { name: 'Tax' }).waitFor();
  await lookAt(page, 'desk-menu', 'dialog');
});
