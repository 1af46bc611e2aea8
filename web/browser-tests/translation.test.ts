import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { text } from './a11y.ts';
import { checkOut, enter, placeOrder } from './customers.ts';
import { findDialog } from './find.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

/** Replaces every text node by elements with its text, those that come later too, as Chrome does when it translates a page. */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const replace = (node: Node): void => {
      if (node instanceof Element) {
        if (!node.closest('font, script, style, textarea')) [...node.childNodes].forEach(replace);
        return;
      }
      if (node.nodeType !== Node.TEXT_NODE || node.parentElement?.closest('font, script, style, textarea')) return;
      if (!node.textContent?.trim()) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.append(node.textContent);
      outer.append(inner);
      node.parentNode?.replaceChild(outer, node);
    };
    replace(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(replace);
    }).observe(document.body, { childList: true, subtree: true });
  });

const fillCart = (page: Page) => page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
const named = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

type Address = string | ((page: Page) => Promise<string>);

test.each<[string, Address, (page: Page) => Promise<unknown>]>([
  [
    'the home page',
    '/',
    async (page) => {
      await named(page, 'Pause rotation').click();
      await named(page, /^Add to Cart: /).click();
      await page.getByRole('banner').getByRole('link', { name: 'Cart, 1 item' }).waitFor();
    },
  ],
  [
    'the listing',
    '/shop',
    async (page) => {
      await named(page, 'Filter & Sort').click();
      // The panel still slides in, with a box that nobody sees: its label is what is clicked.
      await findDialog(page)
        .getByText(/^Floral/)
        .first()
        .click();
      await named(page, /^Show \d+ perfumes$/).click();
      await named(page, 'Remove Floral').click();
    },
  ],
  [
    'the search',
    '/about',
    async (page) => {
      await named(page, 'Search').click();
      await page.getByRole('combobox').fill('oud');
      await text('5 matches')(page).waitFor();
      await page.getByRole('combobox').fill('sandlewood');
      await text('Nothing is called so; the nearest are')(page).waitFor();
    },
  ],
  [
    'a perfume',
    '/product/ruh-gulab',
    async (page) => {
      await named(page, /^Increase/).click();
      await named(page, /^Add to Cart: Ruh Gulab/).click();
      await page.getByRole('banner').getByRole('link', { name: 'Cart, 2 items' }).waitFor();
    },
  ],
  [
    'the cart',
    async (page) => {
      await fillCart(page);
      return '/cart';
    },
    async (page) => {
      await named(page, /^Increase/).click();
      await text('3 items')(page).waitFor();
      await named(page, 'Apply').click();
      await named(page, /^Remove/).click();
      await text('Your cart is empty')(page).waitFor();
    },
  ],
  [
    'the checkout',
    async (page) => {
      await fillCart(page);
      return '/checkout';
    },
    async (page) => {
      await named(page, 'Complete Payment').click();
      await text('Required')(page).waitFor();
      await page.getByRole('checkbox', { name: /^Gift wrap/ }).check({ force: true });
      await page.getByLabel('Name').first().fill('Meera');
    },
  ],
  [
    'the review of an order',
    async (page) => `/review-order/${(await checkOut(page))._id}`,
    async (page) => {
      await named(page, 'Place Order').click();
      await page.waitForURL('**/order-confirmed/*');
    },
  ],
  [
    'an order',
    async (page) => `/order-confirmed/${(await placeOrder(page))._id}`,
    async (page) => {
      await named(page, /^Cancel/).click();
      await findDialog(page)
        .getByRole('button', { name: /^Cancel/ })
        .click();
      await findDialog(page).waitFor({ state: 'hidden' });
      await text('Cancelled')(page).waitFor();
    },
  ],
  [
    'the contact page',
    '/contact',
    async (page) => {
      await named(page, 'Send Message').click();
      await text('Required')(page).waitFor();
      await page.getByLabel('Name').first().fill('Meera');
    },
  ],
  [
    'signing in',
    '/signin',
    async (page) => {
      await page.route('**/api/user/login', (route) => route.fulfill({ status: 401, json: { message: 'Invalid email or password' } }));
      await page.getByRole('main').getByLabel('Email').first().fill('meera@example.com');
      await page.getByRole('main').getByLabel('Password').first().fill('rosewater');
      await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
      await text('Invalid email or password')(page).waitFor();
    },
  ],
  [
    'the orders of Site Manager',
    async (page) => {
      const { orderNumber } = await placeOrder(page);
      await enter(page, admin);
      return `/admin/site-manager?panel=orders&q=${orderNumber}`;
    },
    async (page) => {
      await named(page, /^Confirm(?!ed)/).click();
      await findDialog(page)
        .getByRole('button', { name: /^Confirm/ })
        .click();
      await findDialog(page).waitFor({ state: 'hidden' });
      await text('Confirmed')(page).waitFor();
    },
  ],
  [
    'the products of Site Manager',
    async (page) => {
      await enter(page, admin);
      await page.route('**/api/product/*', (route) =>
        route.request().method() === 'DELETE' ? route.fulfill({ json: { message: '✅ Product deleted successfully' } }) : route.continue(),
      );
      return '/admin/site-manager?panel=products';
    },
    async (page) => {
      await named(page, /^Delete /).click();
      await findDialog(page)
        .getByRole('button', { name: /^Delete/ })
        .click();
      await text('Product deleted successfully')(page).waitFor();
    },
  ],
  [
    'the audit of an order',
    async (page) => {
      const { _id } = await placeOrder(page);
      await enter(page, admin);
      return `/audit?order=${_id}`;
    },
    async (page) => {
      await named(page, 'Earlier event').click();
      await page.waitForURL(/at=/);
      const earlier = page.url();
      await named(page, 'Later event').click();
      await page.waitForURL((url) => url.href !== earlier);
    },
  ],
])('%s works on a translated page', async (_, address, act) => {
  const { page, problems } = await shop.visit('desktop');
  await page.goto(typeof address === 'string' ? address : await address(page));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await translate(page);
  await act(page);
  // What the last step changes is rendered by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(await page.title()).not.toMatch(/^Something went wrong/);
  expect(problems.filter((problem) => !/401/.test(problem))).toEqual([]);
});
