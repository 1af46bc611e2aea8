import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductView } from '#domain/product/view.ts';
import { home } from '#domain/testing/orders.ts';
import { enlarge } from './a11y.ts';
import { answered, download, enter, moveOrder, placeOrder, type Placed } from './customers.ts';
import { lookAt } from './faults.ts';
import { findButton } from './find.ts';
import { openBrowserShop, watchShifts, type Screen, type Visit } from './harness.ts';
import { admin } from './servers.ts';

/** The figures are exact only in an own shop. */
let shop: Awaited<ReturnType<typeof openBrowserShop>>;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

const DESK = '/admin/site-manager';
const REFUSAL = 'Sorry!!! You are not authorised to this page';

const figure = (page: Page, card: string) =>
  page
    .getByRole('group', { name: 'Figures' })
    .locator('div', { has: findButton(page, card) })
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

/** Orders two pieces of a product as another visitor. */
const order = async (product: string, name: string = home.name): Promise<Placed> => {
  const { page } = await shop.visit('desktop');
  return placeOrder(page, { products: { [product]: 2 }, shipping: { name } });
};

test('a user who is not an admin is refused, and loads neither script nor data of the Site Manager', async () => {
  const { page, problems } = await shop.visit('phone');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const ofTheDesk = () => asked.filter((each) => /SiteManagerPage|\/api\/(admin|subscribe|contact)/.test(each));

  await page.goto(DESK);
  await page.getByRole('heading', { level: 1, name: REFUSAL }).waitFor();
  await lookAt(page, 'admin-denied');
  await page.waitForLoadState('networkidle');
  expect(ofTheDesk()).toEqual([]);
  await expect.poll(() => page.getByRole('contentinfo').getByRole('link', { name: 'Site Manager' }).count()).toBe(0);

  // The same check sees both once an admin signs in.
  await page.getByRole('link', { name: 'Sign In', exact: true }).last().click();
  await page.getByLabel('Email', { exact: true }).fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await findButton(page, 'Sign In').click();
  await page.getByRole('heading', { level: 1, name: 'Site Manager' }).waitFor();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Site Manager' }).waitFor();
  await expect.poll(ofTheDesk).toEqual(expect.arrayContaining([expect.stringContaining('SiteManagerPage'), '/api/admin/stats']));
  expect(problems).toEqual([]);
});

test('a new product can be sold; its orders, figures and chart follow, up to delivery', async () => {
  const { page, problems } = await openDesk('desktop', 'products');
  const { page: shopper } = await shop.open('phone', '/about');
  await expect.poll(() => figure(page, 'Total Products').textContent()).toMatch(/^\d+$/);
  const products = Number(await figure(page, 'Total Products').textContent());

  await findButton(page, 'Add Product').click();
  const dialog = page.getByRole('dialog', { name: 'Add Product' });
  await dialog.getByLabel('Product Name').fill('Ruh Kewra');
  await dialog.getByLabel('Details', { exact: true }).fill('Screwpine · rose · sandalwood');
  await dialog.getByLabel('Category').selectOption('Attar');
  await dialog.getByLabel('Price', { exact: true }).fill('230.00');
  const picture = await readFile(path.resolve('web/public/pictures/products/ruh-khus-480.webp'));
  await dialog.getByLabel('Picture file').setInputFiles({ name: 'kewra.webp', mimeType: 'image/webp', buffer: picture });
  await expect.poll(() => dialog.getByLabel('Image URLs').inputValue()).toMatch(/^\/pictures\/uploads\/[0-9a-f]{32}\.webp$/);
  await findButton(page, 'Save Product').click();
  await page.getByRole('status').getByText('Product added successfully').waitFor();
  await lookAt(page, 'admin-popup');
  await expect.poll(() => figure(page, 'Total Products').textContent()).toBe(String(products + 1));

  // The admin's own browser drops the cached catalogue without a reload.
  await page.getByRole('banner').getByRole('link', { name: 'SHOP' }).click();
  await page.getByRole('searchbox', { name: 'Search products' }).fill('kewra');
  await page.getByRole('link', { name: 'Ruh Kewra' }).first().waitFor();
  await answered(await shopper.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-kewra' } }));

  await page.goto(`${DESK}?panel=products`);
  await page.getByRole('searchbox', { name: 'Search products...' }).fill('kewra');
  await findButton(page, 'Edit Ruh Kewra').click();
  await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('₹250.00');
  await findButton(page, 'Save Product').click();
  await page.getByRole('cell', { name: '₹250.00' }).waitFor();
  await shopper.goto('/cart');
  await shopper.getByText('The price has changed from ₹230.00 since you added it.').waitFor();

  await page.goto(DESK);
  const orders = figure(page, 'Total Orders');
  await expect.poll(() => orders.textContent()).toMatch(/^\d+$/);
  const [before, lines] = [Number(await orders.textContent()), page.getByRole('article')];
  const { orderNumber } = await placeOrder(shopper, { products: { 'ruh-kewra': 2 } });
  // There is no reload: the server announces the change to the open page.
  await expect.poll(() => orders.textContent()).toBe(String(before + 1));
  const card = page.getByRole('article', { name: `Order ${orderNumber}` });
  await card.waitFor();
  await expect.poll(() => lines.first().getAttribute('aria-label')).toBe(`Order ${orderNumber}`);
  await card.getByText('3 x ₹250.00').waitFor();
  for (const [action, deed, state] of [
    ['Confirm', 'Confirm order', 'Confirmed'],
    ['Mark shipped', 'Mark shipped', 'Shipped'],
    ['Mark delivered', 'Mark delivered', 'Delivered'],
  ] as const) {
    await findButton(page, `${action}: ${orderNumber}`).click();
    const asks = page.getByRole('dialog');
    await asks.getByLabel('Note').fill(`${state} in the test`);
    if (action === 'Confirm') await lookAt(page, 'admin-move');
    await asks.getByRole('button', { name: deed, exact: true }).click();
    await card.getByText(state, { exact: true }).waitFor();
  }

  await findButton(page, 'Total Sales').click();
  await expect.poll(() => new URL(page.url()).search).toBe('?panel=sales');
  const chart = page.getByRole('slider', { name: 'Daily sales and orders, day by day' });
  await chart.waitFor();
  await chart.press('End');
  // The sum is 3 × ₹250.00 and 18 % tax.
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/₹885\.00, 1 order,/);
  await expect.poll(() => figure(page, 'Total Sales').textContent()).toBe('₹885.00');
  expect(problems).toEqual([]);
});

test('the stock of a product is counted, sold, listed when low, and counted by a file', async () => {
  const { page, problems } = await openDesk('desktop', 'products');
  await page.getByRole('searchbox', { name: 'Search products...' }).fill('kesar');
  const [id, name] = ['kesar-chandan', 'Kesar Chandan'];
  const row = page.getByRole('row', { name });
  await row.getByText('Not counted').waitFor();
  await findButton(page, `Stock of ${name}`).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Stock: ${name}` });
  const fill = async (label: string, text: string): Promise<void> => {
    await dialog.getByLabel(label).fill(text);
    await dialog.getByLabel(label).press('Enter');
  };
  await fill('Bottles there are', '8');
  await dialog.getByText('8 bottles counted.').waitFor();
  await findButton(page, 'Low mark').click();
  await fill('Low from so few available on', '6');
  await findButton(page, 'Remove').first().click();
  await dialog.getByLabel('Reason').fill('Broken');
  await fill('Bottles removed', '9');
  await dialog.getByText('Only 8 available').waitFor();
  await lookAt(page, 'admin-stock-dialog');
  await fill('Bottles removed', '1');
  await expect
    .poll(() => dialog.getByRole('listitem').allTextContents())
    .toEqual([expect.stringMatching(/^Removed 1.*Broken/), expect.stringMatching(/^Counted 8/)]);
  await page.keyboard.press('Escape');
  await row.getByText('7 available').waitFor();

  // There is no reload: the server announces the change to the open page.
  await order(id);
  await row.getByText('7 on hand, 2 reserved').waitFor();
  await row.getByText('Low', { exact: true }).waitFor();

  await page.getByRole('link', { name: /^Stock/ }).click();
  await page.getByRole('button', { name: /^Low/ }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await lookAt(page, 'admin-stock');
  await page.getByLabel(`On hand, ${name}`).fill('9');
  await page.getByLabel(`Warn at, ${name}`).fill('7');
  await findButton(page, 'See the differences').click();
  await page
    .getByRole('dialog', { name: 'One difference' })
    .getByRole('row', { name: `${name} 7 9 +2` })
    .waitFor();
  await lookAt(page, 'admin-stocktake', 'dialog');
  await findButton(page, 'Book one product').click();
  await row.getByRole('cell', { name: '7', exact: true }).first().waitFor();
  await findButton(page, 'From a file').click();
  const buffer = Buffer.from(`productId,count\n${id},40\n`);
  await page.getByLabel('File of counts').setInputFiles({ name: 'counts.csv', mimeType: 'text/csv', buffer });
  await page.getByText('counts.csv would change 1 count.').waitFor();
  await lookAt(page, 'admin-stock-import');
  await findButton(page, 'Book 1 count').click();
  await page.getByText('counts.csv is booked: 1 count changed.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'Nothing is low' }).waitFor();
  // The refused number caused the message.
  expect(problems).toEqual([expect.stringContaining('status of 409 ')]);
});

test('an invoice is shown when an order ships, and is in the PDF, the CSV file and the sums by state', async () => {
  const { page, problems } = await openDesk('desktop', 'invoices');
  const panel = shown(page, 'Invoices');
  const placed = await order('ruh-gulab');
  await moveOrder(page, placed, 'confirmed', 'shipped');
  // There is no reload: the server announces the change to the open page.
  const row = panel.getByRole('row', { name: placed.orderNumber });
  await row.waitFor();
  const taxDocument = await page.request.get((await row.getByRole('link', { name: /^Invoice RH/ }).getAttribute('href')) ?? '');
  expect([taxDocument.status(), taxDocument.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await lookAt(page, 'admin-invoices');
  await panel.getByRole('searchbox').fill(placed.orderNumber.toLowerCase());
  await row.waitFor();
  const { content } = await download(page, () => panel.getByRole('link', { name: 'Download CSV' }).click());
  expect(content).toContain(`,${placed.orderNumber},${home.name},`);

  await findButton(page, 'By state and rate').click();
  await panel.getByRole('row', { name: new RegExp(`^${home.state} 18%`) }).waitFor();
  await lookAt(page, 'admin-invoices-summary');
  expect(problems).toEqual([]);
});

test('the CSV file of messages is saved while the page stays open', async () => {
  const { page } = await openDesk('desktop', 'messages');
  const onCard = page.getByRole('group', { name: 'Figures' }).getByRole('link', { name: 'Download CSV' });
  await answered(await page.request.post('/api/contact', { data: { name: '=1+1', email: 'tara@example.com', message: 'one\ntwo' } }));
  await page.getByText('tara@example.com').first().waitFor();
  // A shop without messages has nothing to download; the figure may come after the list.
  await expect.poll(() => figure(page, 'Contact Us Messages').textContent()).toMatch(/^[1-9]/);
  const { name, content } = await download(page, () => onCard.click());
  expect(name).toBe('contact_messages.csv');
  expect(content).toContain(`\r\n"'=1+1",tara@example.com,,one two,`);
  await shown(page, 'Contact Messages').waitFor();
});

test('a customer from far down a long list is shown beside it', async () => {
  const { page, problems } = await openDesk('desktop', 'orders');
  const { _id } = await order('ruh-gulab');
  const ANY = /\/api\/admin\/customers\/[^/?]+$/;
  await page.route(ANY, async (route) => route.fulfill({ response: await route.fetch({ url: `${shop.url}/api/admin/customers/${_id}` }) }));
  await enlarge(page, '**/api/admin/customers?*', ({ customers: [first = {}] }: { customers: object[] }) => ({
    customers: Array.from({ length: 40 }, (_, place) => ({ ...first, _id: `customer-${place}`, name: `Customer ${place}` })),
    nextCursor: null,
  }));
  await page.goto(`${DESK}?panel=customers`);
  await page.getByRole('link', { name: /^Customer 25/ }).click();
  await page.waitForURL('**open=customer-25');
  const title = page.getByRole('heading', { level: 3, name: home.name });
  await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Erase the data' }).click();
  await page.getByRole('dialog', { name: `Erase what we hold of ${home.name}` }).waitFor();
  expect(problems).toEqual([]);
});

test('nothing moves when figures and health arrive', async () => {
  const { page } = await openDesk('phone');
  const shifted = await watchShifts(page);
  await page.goto(DESK);
  // It stands in the sidebar, which a phone does not show.
  await page.getByText('All is well').waitFor({ state: 'attached' });
  await expect.poll(() => figure(page, 'Total Orders').textContent()).toMatch(/^\d+$/);
  expect(await shifted()).toBeLessThanOrEqual(0.02);
});

/** This text would write to the window if any part of it were executed. */
const CANARY = `<script>window.hurt=1</script><img src=x onerror="window.hurt=1"><svg onload="window.hurt=1">{{7*7}}\${7*7}`;
const NAME = `Canary ${CANARY}`.slice(0, 120);

test('no panel has accessibility faults, and all show what others wrote as plain text', async () => {
  const { page, problems } = await openDesk('phone');
  const words = { details: CANARY, productDetails: [CANARY], productDescription: CANARY };
  const product = await answered<ProductView>(await page.request.post('/api/product', { data: { name: NAME, price: '₹10.00', ...words } }));
  // Another browser sees the product only when the catalogue has it.
  await expect.poll(async () => (await fetch(`${shop.url}/api/product/${product._id}`)).status).toBe(200);
  await order(product._id, NAME.slice(0, 100));
  const message = { name: 'Canary', email: 'canary@example.com', phone: '98200', message: CANARY };
  await answered(await page.request.post('/api/contact', { data: message }));
  await answered(await page.request.post('/api/subscribe', { data: { email: 'reader@example.com' } }));
  await page.evaluate(() => {
    document.addEventListener('securitypolicyviolation', () => Object.assign(window, { hurt: 'policy' }));
  });
  const script = page.getByText('<script>').first();
  for (const [card, panel, shows] of [
    ['Total Orders', 'Orders', script],
    ['Subscribers', 'Subscribers', page.getByText('reader@example.com').first()],
    ['Contact Us Messages', 'Contact Messages', script],
    ['Total Sales', 'Sales Summary', findButton(page, 'Table')],
    ['Total Products', 'Products', page.getByRole('searchbox', { name: 'Search products...' })],
  ] as const) {
    await findButton(page, card).click();
    await shown(page, panel).waitFor();
    await shows.waitFor();
    await lookAt(page, `admin-${panel}`);
  }
  await page.getByRole('searchbox', { name: 'Search products...' }).fill('canary');
  await findButton(page, `Edit ${NAME}`).click();
  await expect.poll(() => page.getByLabel('Product Description').inputValue()).toBe(CANARY);
  await page.getByRole('region', { name: 'Price history' }).getByText('₹10.00').waitFor();
  await lookAt(page, 'admin-product-modal');
  await page.keyboard.press('Escape');
  const choose = async (panel: RegExp): Promise<void> => {
    await page.getByRole('button', { name: /Choose a panel$/ }).click();
    await page.getByRole('dialog').getByRole('link', { name: panel }).click();
  };
  await choose(/^Customers/);
  await page.getByRole('link', { name: /^Canary/ }).click();
  await page.getByRole('button', { name: 'Erase the data' }).waitFor();
  await lookAt(page, 'admin-Customer');
  await page.getByRole('link', { name: 'All customers' }).click();
  await page.getByRole('link', { name: /^Canary/ }).waitFor();
  await lookAt(page, 'admin-Customers');
  await choose(/^Health/);
  await shown(page, 'Health').locator('summary').click();
  await page.getByRole('row', { name: /catalogue/ }).waitFor();
  await lookAt(page, 'admin-health');
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  expect(problems).toEqual([]);
});
