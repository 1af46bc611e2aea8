import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { APIResponse, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderView } from '#domain/order/view.ts';
import type { ProductView } from '#domain/product/view.ts';
import { lookAt, lookAtBoth } from './faults.ts';
import { admin, home, openBrowserShop, watchShifts, type BrowserShop, type Screen, type Visit } from './harness.ts';
import { enter } from './customers.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const DESK = '/admin/site-manager';
const REFUSAL = 'Sorry!!! You are not authorised to this page';

/** Polls for up to 20 s, because a busy machine is slow. */
const eventually = <Of>(read: () => Of) => expect.poll(read, { timeout: 20_000, interval: 100 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const figure = (page: Page, card: string) =>
  page
    .getByRole('group', { name: 'Panels' })
    .locator('div', { has: button(page, card) })
    .locator('.display')
    .first();
const openDesk = async (screen: Screen, panel = 'orders'): Promise<Visit> => {
  const visit = await shop.visit(screen);
  const { page } = visit;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, admin);
  await page.goto(`${DESK}?panel=${panel}`);
  await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
  return visit;
};
const shown = (page: Page, panel: string) => page.getByRole('region', { name: panel, exact: true });

/** Tests that walk through the whole Site Manager have this timeout in ms. */
const LONG = 180_000;

const answered = async <Of>(answer: APIResponse): Promise<Of> => {
  expect(answer.ok(), `${answer.status()} ${answer.url()}`).toBe(true);
  return answer.json();
};
/** Returns the id of an order once the order list has it, which may take a moment. */
const idOf = async ({ request }: Page, number: string): Promise<string> => {
  let id: string | undefined;
  const find = async () => {
    const { orders } = await answered<{ orders: OrderView[] }>(await request.get('/api/admin/orders', { params: { q: number } }));
    return (id = orders[0]?._id);
  };
  await eventually(find).toBeDefined();
  return String(id);
};
/** Orders two pieces of a product over the API, because other tests cover the pages for it. */
const order = async ({ page: { request } }: Visit, product: string, name = home.name): Promise<string> => {
  await answered(await request.post('/api/cart/add-to-cart', { data: { _id: product, quantity: 2 } }));
  const data = { shipping: { ...home, name }, giftWrap: false, giftMessage: '' };
  const { order: draft } = await answered<{ order: OrderView }>(await request.post('/api/order/create-order', { data }));
  return (
    (await answered<OrderView>(await request.put(`/api/order/place-order/${draft._id}`, { data: { method: 'COD' } }))).orderNumber ?? ''
  );
};

describe('a user who is not an admin', () => {
  test('is refused, and loads neither script nor data of the Site Manager', async () => {
    const { page, problems } = await shop.visit('phone');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const ofTheDesk = () => asked.filter((each) => /SiteManagerPage|\/api\/(admin|subscribe|contact)/.test(each));

    await page.goto(DESK);
    await page.getByRole('heading', { level: 1, name: REFUSAL }).waitFor();
    await lookAtBoth(shop, page, 'admin-denied');
    await page.waitForLoadState('networkidle');
    expect(ofTheDesk()).toEqual([]);
    await expect.poll(() => page.getByRole('contentinfo').getByRole('link', { name: 'Site Manager' }).count()).toBe(0);

    // The same check sees both once an admin signs in.
    await page.getByRole('link', { name: 'Sign In', exact: true }).last().click();
    await page.getByLabel('Email', { exact: true }).fill(admin.email);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await button(page, 'Sign In').click();
    await page.getByRole('heading', { level: 1, name: 'Site Manager' }).waitFor();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Site Manager' }).waitFor();
    await eventually(ofTheDesk).toEqual(expect.arrayContaining([expect.stringContaining('SiteManagerPage'), '/api/admin/stats']));
    expect(problems).toEqual([]);
  });

  test('sees nothing of the Site Manager after the admin has logged out, even with Back', async () => {
    const { page } = await openDesk('desktop', 'messages');
    await page.getByRole('banner').getByRole('button', { name: /Admin/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('**/signin');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: REFUSAL }).waitFor();
    await expect.poll(() => page.getByRole('group', { name: 'Panels' }).count()).toBe(0);
  });
});

describe('the Site Manager', () => {
  test(
    'shows a new product, its orders up to delivery, the figures and the chart',
    async () => {
      const { page, problems } = await openDesk('desktop', 'products');
      const shopper = await shop.open('desktop', '/');
      await eventually(() => figure(page, 'Total Products').textContent()).toMatch(/^\d+$/);
      const products = Number(await figure(page, 'Total Products').textContent());

      await button(page, 'Add Product').click();
      const dialog = page.getByRole('dialog', { name: 'Add Product' });
      await button(page, 'Save Product').click();
      await dialog.getByText('Required').waitFor();
      await dialog.getByLabel('Product Name').fill('Ruh Kewra');
      await dialog.getByLabel('Details', { exact: true }).fill('Screwpine · rose · sandalwood');
      await dialog.getByLabel('Category').selectOption('Attar');
      await dialog.getByLabel('Price', { exact: true }).fill('230.00');
      const picture = await readFile(path.resolve('web/public/pictures/products/ruh-khus-480.webp'));
      await dialog.getByLabel('Picture file').setInputFiles({ name: 'kewra.webp', mimeType: 'image/webp', buffer: picture });
      await eventually(() => dialog.getByLabel('Image URLs').inputValue()).toMatch(/^\/pictures\/uploads\/[0-9a-f]{32}\.webp$/);
      await button(page, 'Save Product').click();
      await page.getByRole('status').getByText('Product added successfully').waitFor();
      await eventually(() => figure(page, 'Total Products').textContent()).toBe(String(products + 1));

      // The admin's own browser drops the cached catalogue without a reload.
      await page.getByRole('banner').getByRole('link', { name: 'SHOP' }).click();
      await page.getByRole('searchbox', { name: 'Search products' }).fill('kewra');
      const found = page.getByRole('link', { name: 'Ruh Kewra' }).first();
      await found.waitFor();
      await shopper.page.goto('/product/ruh-kewra');
      await shopper.page.getByText('₹230.00').first().waitFor();
      await answered(await shopper.page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-kewra' } }));

      await page.goto(`${DESK}?panel=products`);
      await page.getByRole('searchbox', { name: 'Search products...' }).fill('kewra');
      await button(page, 'Edit Ruh Kewra').click();
      await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('₹250.00');
      await button(page, 'Save Product').click();
      await page.getByRole('status').getByText('Product updated successfully').waitFor();
      await lookAtBoth(shop, page, 'admin-popup');
      await button(page, 'Close').click();
      await page.getByRole('cell', { name: '₹250.00' }).waitFor();
      await button(page, 'Edit Ruh Kewra').click();
      const prices = page.getByRole('region', { name: 'Price history' });
      await expect
        .poll(() => prices.getByRole('row').allTextContents())
        .toEqual(['PriceSinceSet by', expect.stringContaining('₹250.00'), expect.stringContaining('₹230.00')]);
      await button(page, 'Cancel').click();

      await shopper.page.goto('/cart');
      await shopper.page.getByText('The price has changed from ₹230.00 since you added it.').waitFor();

      await page.goto(DESK);
      const orders = figure(page, 'Total Orders');
      await eventually(() => orders.textContent()).toMatch(/^\d+$/);
      const [before, lines] = [Number(await orders.textContent()), page.getByRole('article')];
      const number = await order(shopper, 'ruh-kewra');
      // There is no reload: the server announces the change to the open page.
      await eventually(() => orders.textContent()).toBe(String(before + 1));
      const card = page.getByRole('article', { name: `Order ${number}` });
      await card.waitFor();
      await expect.poll(() => lines.first().getAttribute('aria-label')).toBe(`Order ${number}`);
      await card.getByText('3 x ₹250.00').waitFor();
      for (const [action, state] of [
        ['Confirm', 'Confirmed'],
        ['Mark shipped', 'Shipped'],
        ['Mark delivered', 'Delivered'],
      ] as const) {
        await button(page, `${action}: ${number}`).click();
        const asks = page.getByRole('dialog');
        await asks.getByLabel('Note').fill(`${state} in the test`);
        if (action === 'Confirm') await lookAtBoth(shop, page, 'admin-move');
        await asks.getByRole('button', { name: action, exact: true }).click();
        await card.getByText(state, { exact: true }).waitFor();
      }
      await page.getByRole('searchbox', { name: 'Number, name or e-mail' }).fill(number.slice(3).toLowerCase());
      await button(page, 'Delivered').click();
      await eventually(() => lines.count()).toBe(1);

      await button(page, 'Total Sales').click();
      expect(new URL(page.url()).search).toBe('?panel=sales');
      const chart = page.getByRole('slider', { name: 'Daily sales and orders, day by day' });
      await chart.waitFor();
      await chart.press('End');
      // The sum is 3 × ₹250.00 and 18 % tax.
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/₹885\.00, 1 order$/);
      await eventually(() => figure(page, 'Total Sales').textContent()).toBe('₹885.00');
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test('shows both versions when two admins edit the same product, and loses nothing', async () => {
    const { page } = await openDesk('desktop', 'products');
    await page.getByRole('searchbox', { name: 'Search products...' }).fill('gulab bagh');
    await button(page, 'Edit Gulab Bagh').click();
    await answered(await page.request.put('/api/product/gulab-bagh', { data: { tag: 'Theirs' } }));
    await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('₹1,111.00');
    await button(page, 'Save Product').click();
    const versions = page.getByRole('region', { name: 'Two versions' });
    await versions.waitFor();
    await expect
      .poll(() => versions.getByRole('row').allTextContents())
      .toEqual([
        'FieldWhat you wroteWhat it is now',
        expect.stringMatching(/^Price₹1,111\.00₹/),
        expect.stringMatching(/^TagYou left it as it wasTheirs$/),
      ]);
    await lookAtBoth(shop, page, 'admin-two-versions');
    await button(page, 'Save what I wrote').click();
    await page.getByRole('status').getByText('Product updated successfully').waitFor();
    expect(await answered(await page.request.get('/api/product/gulab-bagh'))).toMatchObject({ price: '₹1,111.00', tag: 'Theirs' });
  });

  test('shows the current status and its author when an order was changed elsewhere', async () => {
    const { page } = await openDesk('desktop');
    const shopper = await shop.open('desktop', '/');
    const number = await order(shopper, 'ruh-gulab');
    await button(page, `Confirm: ${number}`).click();
    const id = await idOf(page, number);
    await answered(await page.request.put(`/api/admin/order/${id}/status`, { data: { status: 'cancelled' } }));
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('alert').getByText('The order is cancelled and cannot become confirmed').waitFor();
    await lookAtBoth(shop, page, 'admin-stale-move');
    await button(page, 'Show the order as it is').click();
    await page
      .getByRole('article', { name: `Order ${number}` })
      .getByText('Cancelled')
      .waitFor();
  });

  test('asks for confirmation before it deletes a product', async () => {
    const { page } = await openDesk('phone', 'products');
    await page.getByRole('searchbox', { name: 'Search products...' }).fill('marigold');
    await button(page, 'Delete Marigold Mandap').click();
    const asks = page.getByRole('alertdialog');
    await asks.getByText('Are you sure you want to delete this product?').waitFor();
    await lookAtBoth(shop, page, 'admin-product-delete');
    await asks.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('Product deleted successfully').waitFor();
    await page.getByRole('heading', { name: 'No products found' }).waitFor();
    expect((await page.request.get('/api/product/marigold-mandap')).status()).toBe(404);
  });
});

describe('the stock of a product', () => {
  test(
    'is counted, received, removed, sold, listed when low, and counted by a file',
    async () => {
      const { page, problems } = await openDesk('desktop', 'products');
      await page.getByRole('searchbox', { name: 'Search products...' }).fill('kesar');
      const [id, name] = ['kesar-chandan', 'Kesar Chandan'];
      const row = page.getByRole('row', { name });
      await row.getByText('Not counted').waitFor();
      await button(page, `Stock of ${name}`).press('Enter');
      const dialog = page.getByRole('dialog', { name: `Stock: ${name}` });
      const fill = async (label: string, text: string): Promise<void> => {
        await dialog.getByLabel(label).fill(text);
        await dialog.getByLabel(label).press('Enter');
      };
      await fill('Bottles there are', '5');
      await dialog.getByText('5 bottles counted.').waitFor();
      await button(page, 'Receive').first().click();
      await fill('Bottles received', '3');
      await dialog.getByText('8 on hand, 0 reserved for orders, 8 available.').waitFor();
      await button(page, 'Low mark').click();
      await fill('Low from so few available on', '6');
      await button(page, 'Remove').first().click();
      await dialog.getByLabel('Reason').fill('Broken');
      await fill('Bottles removed', '9');
      await dialog.getByText('Only 8 available').waitFor();
      await lookAtBoth(shop, page, 'admin-stock-dialog');
      await fill('Bottles removed', '1');
      await expect
        .poll(() => dialog.getByRole('listitem').allTextContents())
        .toEqual([/^Removed 1.*Broken/, /^Received 3/, /^Counted 5/].map((text) => expect.stringMatching(text)));
      await page.keyboard.press('Escape');
      await row.getByText('7 available').waitFor();

      // There is no reload: the server announces the change to the open page.
      await order(await shop.open('desktop', '/'), id);
      await row.getByText('5 available').waitFor();
      await row.getByText('7 on hand, 2 reserved').waitFor();
      await row.getByText('Low', { exact: true }).waitFor();
      await button(page, `Edit ${name}`).click();
      expect(await page.getByRole('switch', { name: 'In stock' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');

      await button(page, 'Stock').click();
      await button(page, 'Low').click();
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await row.getByText('5 available').waitFor();
      await lookAtBoth(shop, page, 'admin-stock-low');
      const choose = (lines: string) =>
        page
          .getByLabel('File of counts')
          .setInputFiles({ name: 'counts.csv', mimeType: 'text/csv', buffer: Buffer.from(`productId,count\n${lines}`) });
      await choose(`${id},1\n`);
      await page.getByRole('alert').getByText('Line 2, count: 2 are reserved for orders').waitFor();
      await choose(`${id},40\n`);
      await page.getByText('counts.csv would change 1 count.').waitFor();
      await lookAtBoth(shop, page, 'admin-stock-import');
      await button(page, 'Book it').click();
      await page.getByText('counts.csv is booked: 1 count changed.').waitFor();
      await page.getByRole('heading', { name: 'Nothing is low' }).waitFor();
      // The refused number and the refused file caused these messages.
      expect(problems.filter((each) => !/40[09]/.test(each))).toEqual([]);
    },
    LONG,
  );
});

describe('the invoices panel', () => {
  test(
    'shows an invoice when an order ships, can be searched, offers PDFs and a CSV file, and has sums by state',
    async () => {
      const { page, problems } = await openDesk('desktop', 'invoices');
      const panel = shown(page, 'Invoices');
      const number = await order(await shop.open('desktop', '/'), 'ruh-gulab');
      const id = await idOf(page, number);
      for (const status of ['confirmed', 'shipped'])
        await answered(await page.request.put(`/api/admin/order/${id}/status`, { data: { status } }));
      // There is no reload: the server announces the change to the open page.
      const row = panel.getByRole('row', { name: number });
      await row.waitFor();
      const taxDocument = await page.request.get((await row.getByRole('link', { name: /^Invoice RH/ }).getAttribute('href')) ?? '');
      expect([taxDocument.status(), taxDocument.headers()['content-type']]).toEqual([200, 'application/pdf']);
      await lookAtBoth(shop, page, 'admin-invoices');

      await button(page, 'This month').click();
      await panel.getByRole('searchbox').fill('RH-nothing');
      await panel.getByRole('heading', { name: 'No such invoices' }).waitFor();
      await panel.getByRole('searchbox').fill(number.toLowerCase());
      await row.waitFor();
      const [file] = await Promise.all([page.waitForEvent('download'), panel.getByRole('link', { name: 'Download CSV' }).click()]);
      expect(await readFile(await file.path(), 'utf8')).toContain(`,${number},${home.name},`);

      await button(page, 'By state and rate').click();
      const sums = panel.getByRole('row', { name: new RegExp(`^${home.state} 18%`) });
      await sums.waitFor();
      await lookAtBoth(shop, page, 'admin-invoices-summary');
      await page.goBack();
      await page.goForward();
      await sums.waitFor();
      expect(problems).toEqual([]);
    },
    LONG,
  );
});

describe('the CSV download of messages', () => {
  test('is refused while there are no messages, and otherwise leaves the page open', async () => {
    const { page } = await openDesk('desktop', 'messages');
    const onCard = page.getByRole('group', { name: 'Panels' }).getByRole('link', { name: 'Download CSV' });
    await eventually(() => figure(page, 'Contact Us Messages').textContent()).toBe('0');
    await onCard.click();
    await page.getByRole('alert').getByText('No messages available to download').waitFor();
    await button(page, 'Close').click();

    await answered(await page.request.post('/api/contact', { data: { name: '=1+1', email: 'tara@example.com', message: 'one\ntwo' } }));
    await eventually(() => figure(page, 'Contact Us Messages').textContent()).toBe('1');
    await page.getByText('tara@example.com').waitFor();
    const started = page.waitForEvent('download');
    await onCard.click();
    const file = await started;
    expect(file.suggestedFilename()).toBe('contact_messages.csv');
    expect(await readFile(await file.path(), 'utf8')).toContain(`\r\n"'=1+1",tara@example.com,,one two,`);
    await shown(page, 'Contact Messages').waitFor();
  });
});

/** This text would write to the window if any part of it were executed. */
const CANARY = `<script>window.hurt=1</script><img src=x onerror="window.hurt=1"><svg onload="window.hurt=1">{{7*7}}\${7*7}`;

describe('the panels of the Site Manager', () => {
  test('do not move when figures and health arrive', async () => {
    const { page } = await openDesk('phone');
    const shifted = await watchShifts(page);
    await page.goto(DESK);
    await page.getByText('All is well').waitFor();
    await eventually(() => figure(page, 'Total Orders').textContent()).toMatch(/^\d+$/);
    expect(await shifted()).toBeLessThanOrEqual(0.02);
  });

  beforeAll(async () => {
    const desk = await openDesk('desktop');
    const { request } = desk.page;
    const product = {
      name: `Canary ${CANARY}`.slice(0, 120),
      details: CANARY,
      price: '₹10.00',
      productDetails: [CANARY],
      productDescription: CANARY,
    };
    const { _id } = await answered<ProductView>(await request.post('/api/product', { data: product }));
    await order(await shop.open('desktop', '/'), _id, `Canary ${CANARY}`.slice(0, 100));
    await answered(
      await request.post('/api/contact', { data: { name: 'Canary', email: 'canary@example.com', phone: '98200', message: CANARY } }),
    );
    await answered(await request.post('/api/subscribe', { data: { email: 'reader@example.com' } }));
    await desk.page.close();
  });

  test.each(['phone', 'desktop'] as const)(
    'have no accessibility faults on a %s, and show messages as plain text',
    async (screen) => {
      const { page, problems } = await openDesk(screen);
      await page.evaluate(() => {
        document.addEventListener('securitypolicyviolation', () => Object.assign(window, { hurt: 'policy' }));
      });
      const ways = [
        ['Total Orders', 'Orders', 'orders'],
        ['Total Products', 'Products', 'products'],
        ['Subscribers', 'Subscribers', 'subscribers'],
        ['Total Sales', 'Sales Summary', 'sales'],
        ['Contact Us Messages', 'Contact Messages', 'messages'],
      ] as const;
      for (const [card, panel, name] of ways) {
        await button(page, card).click();
        await shown(page, panel).waitFor();
        if (name === 'products') {
          await page.getByRole('searchbox', { name: 'Search products...' }).fill('canary');
          await eventually(() => page.getByRole('button', { name: /^Edit / }).count()).toBe(1);
        }
        if (name === 'orders' || name === 'messages') await page.getByText('<script>').first().waitFor();
        if (name === 'products') await button(page, `Edit ${`Canary ${CANARY}`.slice(0, 120)}`).waitFor();
        await lookAt(shop, page, `admin-${name}-${screen}`);
        if (name === 'products') {
          await button(page, `Edit ${`Canary ${CANARY}`.slice(0, 120)}`).click();
          await expect.poll(() => page.getByLabel('Product Description').inputValue()).toBe(CANARY);
          await page.getByRole('region', { name: 'Price history' }).getByText('₹10.00').waitFor();
          await lookAt(shop, page, `admin-product-modal-${screen}`);
          await page.keyboard.press('Escape');
        }
        if (name === 'sales') {
          await button(page, 'Table').click();
          await lookAt(shop, page, `admin-sales-table-${screen}`);
        }
      }
      await page.getByRole('button', { name: /^Health/ }).click();
      await page.getByRole('row', { name: /catalogue/ }).waitFor();
      await lookAt(shop, page, `admin-health-${screen}`);
      expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
      expect(problems).toEqual([]);
    },
    LONG,
  );
});
