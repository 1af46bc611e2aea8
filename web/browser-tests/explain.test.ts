import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import { enter } from './customers.ts';
import { lookAt, lookAtBoth } from './faults.ts';
import { admin, auditor, home, openBrowserShop, type BrowserShop, type Visit } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

type Placed = Pick<OrderView, '_id'> & { readonly orderNumber: string };

const buy = async ({ page: { request } }: Visit): Promise<Placed> => {
  for (const [_id, quantity] of [
    ['ruh-gulab', 2],
    ['oud-saffron-majlis', 1],
  ] as const)
    await request.post('/api/cart/add-to-cart', { data: { _id, quantity } });
  const created = await request.post('/api/order/create-order', { data: { shipping: home, giftWrap: true, giftMessage: '' } });
  const { order }: { order: OrderView } = await created.json();
  await request.put(`/api/order/place-order/${order._id}`, { data: { method: 'Prepaid' } });
  const { url }: { url: string } = await (await request.post(`/api/order/pay/${order._id}`)).json();
  expect((await request.post(`${url}/pay`, { data: {} })).ok()).toBe(true);
  return (await request.get(`/api/order/get-order/${order._id}`)).json();
};

const opener = (within: Page | Locator): Locator => within.locator('summary', { hasText: /^How the amounts/ });
const amount = (within: Page | Locator, name: string): Locator => within.locator('summary', { hasText: new RegExp(`^${name}`) });
const tabTo = async (page: Page, control: Locator): Promise<void> => {
  for (let step = 0; step < 60; step += 1) {
    if (await control.evaluate((each) => each === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The focus does not come to it');
};

describe('the amounts of an order open to show formula and events', () => {
  test('for its shopper, by keyboard, on a phone, and are fetched only when opened', async () => {
    const shopper = await shop.visit('phone');
    const { _id } = await buy(shopper);
    const { page, problems } = shopper;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/explain') && asked.push(request.url()));
    await page.goto(`/order-confirmed/${_id}`);
    await opener(page).waitFor();
    expect(asked).toEqual([]);
    await tabTo(page, opener(page));
    await page.keyboard.press('Enter');
    await tabTo(page, amount(page, 'Total'));
    expect(asked).toHaveLength(1);
    await page.keyboard.press('Enter');
    await page.getByText('Subtotal + tax + gift wrap').waitFor();
    await page.getByText('From your checkout').filter({ visible: true }).waitFor();
    await tabTo(page, amount(page, 'Paid'));
    await page.keyboard.press('Space');
    await page.getByText('From your payment').filter({ visible: true }).waitFor();
    await lookAtBoth(shop, page, 'explain-order', { narrow: true });
    for (const name of ['Subtotal', 'Tax', 'Gift wrap', 'Refunded']) await amount(page, name).click();
    await lookAtBoth(shop, page, 'explain-order-whole', { narrow: true });
    expect(problems).toEqual([]);
  });

  test('for staff, in words that link to the events, and for auditors, with the events themselves', async () => {
    const { orderNumber } = await buy(await shop.visit('phone'));
    for (const screen of ['phone', 'desktop'] as const) {
      const { page: desk } = await shop.visit(screen);
      await desk.emulateMedia({ reducedMotion: 'reduce' });
      await enter(desk, admin);
      await desk.goto(`/admin/site-manager?panel=orders&q=${orderNumber}`);
      const card = desk.getByRole('article', { name: `Order ${orderNumber}` });
      await opener(card).click();
      await amount(card, 'Subtotal').click();
      await card.getByRole('link', { name: 'The checkout' }).filter({ visible: true }).waitFor();
      await amount(card, 'Paid').click();
      await card.getByRole('link', { name: 'The payment that the gateway took' }).filter({ visible: true }).waitFor();
      await lookAt(shop, desk, `explain-desk-${screen}`, { narrow: true });

      const { page: books } = await shop.visit(screen);
      await books.emulateMedia({ reducedMotion: 'reduce' });
      await enter(books, auditor);
      await books.goto(`/audit?order=${orderNumber}`);
      await opener(books).click();
      await amount(books, 'Subtotal').click();
      await amount(books, 'Paid').click();
      await lookAt(shop, books, `explain-audit-${screen}`, { narrow: true });
      await books.getByRole('link', { name: 'OrderCreated, revision 0' }).filter({ visible: true }).click();
      await expect.poll(() => books.url()).toContain('at=0');
      await expect.poll(() => books.evaluate(() => document.activeElement?.id)).toBe('event-0');
      await books.getByRole('link', { name: /^PaymentCaptured/ }).click();
      await books.getByRole('heading', { name: 'One payment' }).waitFor();
    }
  }, 120_000);
});
