import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import { lookAt } from './faults.ts';
import { admin, auditor, home, openBrowserShop, type BrowserShop, type Screen, type Visit } from './harness.ts';
import { enter } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const LONG = 180_000;
const DESK = '/admin/site-manager';

type Placed = Pick<OrderView, '_id' | 'total'> & { readonly orderNumber: string };

/** Places an order over the API, because other tests cover the pages for it. */
const place = async ({ page: { request } }: Visit, method: 'COD' | 'Prepaid'): Promise<Placed> => {
  await request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
  const created = await request.post('/api/order/create-order', { data: { shipping: home, giftWrap: false, giftMessage: '' } });
  const { order }: { order: OrderView } = await created.json();
  const placed = await request.put(`/api/order/place-order/${order._id}`, { data: { method } });
  expect(placed.ok(), await placed.text()).toBe(true);
  return placed.json();
};
const pay = async ({ page: { request } }: Visit, { _id }: Placed): Promise<void> => {
  const { url }: { url: string } = await (await request.post(`/api/order/pay/${_id}`)).json();
  expect((await request.post(`${url}/pay`, { data: {} })).ok()).toBe(true);
};
const openMoney = async (screen: Screen): Promise<Page> => {
  const { page } = await shop.visit(screen);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, admin);
  await page.goto(`${DESK}?panel=money`);
  return page;
};
const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

describe.each(['phone', 'desktop'] as const)('the payments panel on a %s', (screen) => {
  test(
    'lists a prepaid order as due, paid and then refunding, and links to its events in the audit',
    async () => {
      const shopper = await shop.visit(screen);
      const order = await place(shopper, 'Prepaid');
      const number = order.orderNumber;
      const page = await openMoney(screen);
      await link(page, number).waitFor();
      await lookAt(shop, page, `money-due-${screen}`, { narrow: true });

      await pay(shopper, order);
      // The server announces the change to the page.
      await expect.poll(() => link(page, number).count()).toBe(0);
      await button(page, 'Paid').click();
      await link(page, number).click();
      await button(page, `Refund ${number}`).click();
      const dialog = page.getByRole('dialog', { name: `Refund: ${number}` });
      await dialog.getByLabel('Amount in rupees').fill('99999');
      await dialog.getByLabel('Reason').fill('A broken bottle');
      await button(dialog, 'Refund').click();
      await dialog.getByText('More than was paid').waitFor();
      await lookAt(shop, page, `money-refund-${screen}`, { part: 'dialog' });
      await dialog.getByLabel('Amount in rupees').fill('100');
      await button(dialog, 'Refund').click();
      await page.getByText(/Partly refunded · .* · ₹100\.00 refunded/).waitFor();

      const { page: books } = await shop.visit(screen);
      await enter(books, auditor);
      await books.goto(`/audit?order=${number}`);
      await link(books, 'Events of its payment').click();
      await books.getByText('₹100.00: A broken bottle').filter({ visible: true }).first().waitFor();
      await lookAt(shop, books, `money-events-${screen}`, { narrow: true });
    },
    LONG,
  );

  test(
    "books the cash in a courier's file, which is checked first",
    async () => {
      const order = await place(await shop.visit(screen), 'COD');
      const page = await openMoney(screen);
      for (const status of ['confirmed', 'shipped', 'delivered']) {
        const moved = await page.request.put(`/api/admin/order/${order._id}/status`, { data: { status } });
        expect(moved.ok(), await moved.text()).toBe(true);
      }
      await button(page, 'With couriers').click();
      await link(page, order.orderNumber).waitFor();

      const sendFile = (...lines: readonly string[]) =>
        page.getByLabel('Remittance file').setInputFiles({
          name: 'november.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(['order_number,amount,collected_on,reference', ...lines, ''].join('\r\n')),
        });
      await sendFile(`${order.orderNumber},much,2026-11-21,RM-7`);
      await page.getByText(/Nothing was booked\. Line 2, amount/).waitFor();
      await sendFile(`${order.orderNumber},${order.total - 1},2026-11-21,RM-7`, 'RH-ZZZZZZZ9,10,2026-11-21,RM-7');
      await page.getByText('november.csv would book 1 payment.').waitFor();
      await button(page, 'Too little 1').waitFor();
      await lookAt(shop, page, `money-checked-${screen}`, { narrow: true });
      await button(page, 'Book it').click();
      await page.getByText('november.csv is booked: 1 payment.').waitFor();
      await expect.poll(() => link(page, order.orderNumber).count()).toBe(0);
      await button(page, 'Mismatches').click();
      await page
        .getByText(/The courier brought .* instead of/)
        .first()
        .waitFor();
      await lookAt(shop, page, `money-booked-${screen}`, { narrow: true });

      const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download Result').click()]);
      expect(file.suggestedFilename()).toBe('november_result.csv');
    },
    LONG,
  );
});
