import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutOff, fits, hasNoFaults, TEXT_SPACING, walk } from './faults.ts';
import { admin, auditor, openBrowserShop, type BrowserShop, type Screen, type Visit } from './harness.ts';

let shop: BrowserShop;
beforeAll(async () => {
  shop = await openBrowserShop();
});
afterAll(() => shop.close());

type State = {
  /** As the test is called: 'the shop, filtered'. */
  readonly name: string;
  readonly address: string;
  /** Before the page is opened: calls that fail, scripts that do not come. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Brings the open page into the state, and waits until it is. */
  readonly reach?: (page: Page) => Promise<unknown>;
  /** What the browser itself writes into the console about what fails here; nothing else may stand there. */
  readonly says?: RegExp;
  /** On one screen only. */
  readonly only?: Screen;
};

const refuseAll = (page: Page, calls: string) =>
  page.route(calls, (route) => route.fulfill({ status: 503, json: { message: 'Resting', code: 'unavailable' } }));
const refuse = (page: Page) => refuseAll(page, '**/api/product?**');
const RESTING = /503/;
const NOT_FOUND = /404/;
const neverAnswer = (page: Page) => page.route('**/api/product?**', () => undefined);
const search = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search products' }).fill(text);
};

const ADDRESS = {
  name: 'Meera Nair',
  address1: '14 Rose Lane',
  address2: '',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682001',
  country: 'India',
  phone: '+91 98470 00000',
  email: 'meera@example.com',
};
/** By calls, as the browser that will open the page. */
const fillCart = (page: Page) => page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
const order = async (page: Page): Promise<string> => {
  const answer = await page.request.post('/api/order/create-order', {
    data: { shipping: ADDRESS, giftWrap: true, giftMessage: 'For the rains' },
  });
  const created: { order: { _id: string } } = await answer.json();
  return created.order._id;
};
const placeOrder = async (page: Page): Promise<string> => {
  const id = await order(page);
  await page.request.put(`/api/order/place-order/${id}`, { data: { method: 'COD' } });
  return id;
};
/** Of somebody whom the shop knows: of anybody else it knows that the cart is empty. */
const refuseCart = async (page: Page): Promise<void> => {
  await fillCart(page);
  await refuseAll(page, '**/api/cart/get-cart');
};

/** As somebody who is signed in. The auditor has never ordered. */
const enter = (page: Page, person: typeof admin | typeof auditor) => page.request.post('/api/user/login', { data: person });
const MY_ORDERS = '**/api/order/get-AllOrders';

type Line = { readonly product: object };
const LONG_NAME = `The Extraordinarily Long Name Of A Perfume From Kannauj ${'Gulab'.repeat(20)}`.slice(0, 120);
const called = <Product extends object>(product: Product, place: number) => ({ ...product, _id: `perfume-${place}`, name: LONG_NAME });
const aHundred = <Thing>(make: (place: number) => Thing): Thing[] => Array.from({ length: 100 }, (_, place) => make(place));
/** A hundred lines after the pattern of the first, of perfumes with long names. */
const manyLines = ([line]: readonly Line[]) =>
  aHundred((place) => ({ ...line, productId: `perfume-${place}`, quantity: 99, product: called(line?.product ?? {}, place) }));
/** What these calls answer is made large. */
const enlarge = <Answer>(page: Page, calls: string, larger: (answer: Answer) => unknown) =>
  page.route(calls, async (route) => {
    const response = await route.fetch();
    const answer: Answer = await response.json();
    const headers = { ...response.headers(), 'x-total-count': '100' };
    await route.fulfill({ response, headers, json: larger(answer) });
  });
const enlargeOrder = (page: Page) =>
  enlarge(page, '**/api/order/get-order/*', (order: { items: Line[] }) => ({ ...order, items: manyLines(order.items) }));
const enlargeProducts = (page: Page) =>
  enlarge(page, '**/api/product?**', ([first = {}]: object[]) => aHundred((place) => called(first, place)));

/** Every screen of the shop in every state that it has. A new screen is a line here. */
const states: readonly State[] = [
  { name: 'home', address: '/', reach: (page) => page.getByRole('heading', { name: 'Bestsellers' }).waitFor() },
  { name: 'the shop', address: '/shop' },
  { name: 'the shop, filtered', address: '/shop?collection=floral,musk&maxPrice=2800&sort=price&q=a' },
  {
    name: 'the shop, empty',
    address: '/shop?collection=attar&maxPrice=100',
    reach: (page) => page.getByText('No products found in Attar').waitFor(),
  },
  {
    name: 'the shop, loading',
    address: '/shop?q=oud',
    before: neverAnswer,
    reach: (page) => page.getByText('Loading products...').waitFor(),
  },
  {
    name: 'the shop, failed',
    address: '/shop?q=oud',
    before: refuse,
    reach: (page) => page.getByText('Failed to load products.').waitFor(),
    says: RESTING,
  },
  {
    name: 'the filter panel',
    address: '/shop',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Filter & Sort' }).click();
      await page.getByRole('button', { name: 'Show 30 perfumes' }).waitFor();
    },
  },
  { name: 'a perfume', address: '/product/oud-saffron-majlis', reach: (page) => page.getByText('You May Also Like').waitFor() },
  { name: 'a perfume out of stock', address: '/product/ruh-khus' },
  { name: 'a perfume that is not there', address: '/product/leather', says: NOT_FOUND },
  { name: 'about', address: '/about' },
  { name: 'the reviews', address: '/reviews' },
  { name: 'the return policy', address: '/return-policy' },
  { name: 'the privacy policy', address: '/privacy-policy' },
  { name: 'the terms', address: '/terms' },
  { name: 'not found', address: '/nowhere', says: NOT_FOUND },
  {
    name: 'the error screen',
    address: '/about',
    before: (page) => page.route('**/assets/AboutPage-*.js', (route) => route.abort()),
    reach: (page) => page.getByRole('heading', { name: 'Something went wrong' }).waitFor(),
    says: /AboutPage|ERR_FAILED/,
  },
  {
    name: 'a page whose words did not come',
    address: '/shop',
    before: (page) => page.route('**/assets/site-content-*.js', (route) => route.abort()),
    reach: (page) => page.getByText('Part of this page could not be loaded. Check your connection.').waitFor(),
    says: /site-content|ERR_FAILED/,
  },
  {
    name: 'the search',
    address: '/about',
    reach: async (page) => {
      await search(page, 'oud');
      await page.getByText('5 matches').waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'the search without an answer',
    address: '/about',
    before: refuse,
    reach: async (page) => {
      await search(page, 'oud');
      await page.getByText('Search is not answering').waitFor();
    },
    says: RESTING,
  },
  { name: 'the menu', address: '/about', reach: (page) => page.getByRole('button', { name: 'Menu' }).click(), only: 'phone' },
  { name: 'the contact page', address: '/contact', reach: (page) => page.getByRole('textbox', { name: 'Message' }).waitFor() },
  { name: 'leaving the letters', address: '/unsubscribe' },
  { name: 'the empty cart', address: '/cart' },
  {
    name: 'the cart that did not come',
    address: '/cart',
    before: refuseCart,
    reach: (page) => page.getByRole('alert').waitFor(),
    says: RESTING,
  },
  {
    name: 'the cart',
    address: '/cart',
    before: fillCart,
    reach: (page) => page.getByRole('list', { name: 'Perfumes in your cart' }).waitFor(),
  },
  { name: 'a checkout of nothing', address: '/checkout' },
  {
    name: 'a checkout that cannot know the cart',
    address: '/checkout',
    before: refuseCart,
    reach: (page) => page.getByRole('alert').waitFor(),
    says: RESTING,
  },
  {
    name: 'the checkout',
    address: '/checkout',
    before: fillCart,
    reach: (page) => page.getByRole('textbox', { name: 'Postal Code' }).waitFor(),
  },
  {
    name: 'the order before it is placed',
    address: '/about',
    before: fillCart,
    reach: async (page) => {
      await page.goto(`/review-order/${await order(page)}`);
      await page.getByRole('complementary', { name: 'Order Summary' }).waitFor();
    },
  },
  {
    name: 'the order that was placed',
    address: '/about',
    before: fillCart,
    reach: async (page) => {
      await page.goto(`/order-confirmed/${await placeOrder(page)}`);
      await page
        .getByText(/RH-[2-9A-Z]{8}/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'the data of a guest, about to be erased',
    address: '/about',
    before: fillCart,
    reach: async (page) => {
      const id = await placeOrder(page);
      await page.request.put(`/api/order/cancel/${id}`, { data: { reason: '' } });
      await page.goto(`/order-confirmed/${id}`);
      await page.getByRole('button', { name: 'Erase my personal data' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the order whose price has changed',
    address: '/about',
    before: async (page) => {
      await fillCart(page);
      const json = {
        message: 'Changed since you checked out: Ruh Gulab.',
        code: 'offer_changed',
        errors: { 'ruh-gulab': 'Ruh Gulab now costs more' },
      };
      await page.route('**/api/order/place-order/*', (route) => route.fulfill({ status: 409, json }));
    },
    reach: async (page) => {
      await page.goto(`/review-order/${await order(page)}`);
      await page.getByRole('button', { name: 'Place Order' }).click();
      await page.getByRole('button', { name: 'Refresh order' }).waitFor();
    },
    says: /409/,
  },
  {
    name: 'my orders',
    address: '/about',
    before: async (page) => {
      await enter(page, admin);
      await fillCart(page);
      await placeOrder(page);
    },
    reach: async (page) => {
      await page.goto('/viewAllOrders');
      await page.getByRole('heading', { level: 2, name: /RH-/ }).first().waitFor();
    },
  },
  {
    name: 'my orders, none',
    address: '/viewAllOrders',
    before: (page) => enter(page, auditor),
    reach: (page) => page.getByText('You haven’t placed any orders yet.').waitFor(),
  },
  {
    name: 'my orders, loading',
    address: '/viewAllOrders',
    before: async (page) => {
      await enter(page, auditor);
      await page.route(MY_ORDERS, () => undefined);
    },
    reach: (page) => page.getByText('Loading your orders...').waitFor(),
  },
  {
    name: 'my orders, failed',
    address: '/viewAllOrders',
    before: async (page) => {
      await enter(page, auditor);
      await refuseAll(page, MY_ORDERS);
    },
    reach: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
    says: RESTING,
  },
  {
    name: 'the account',
    address: '/account',
    before: (page) => enter(page, auditor),
    reach: (page) => page.getByRole('button', { name: 'Download my data' }).waitFor(),
  },
  {
    name: 'the shop, of long names',
    address: '/shop?q=oud',
    before: enlargeProducts,
    reach: (page) => page.getByRole('heading', { name: LONG_NAME }).first().waitFor(),
  },
  {
    name: 'a checkout of a hundred lines',
    address: '/checkout',
    before: async (page) => {
      await fillCart(page);
      await enlarge(page, '**/api/cart/get-cart', (cart: { items: Line[] }) => ({ ...cart, items: manyLines(cart.items) }));
    },
    reach: (page) => page.getByText(LONG_NAME).first().waitFor(),
    only: 'phone',
  },
  {
    name: 'an order of a hundred lines before it is placed',
    address: '/about',
    before: fillCart,
    reach: async (page) => {
      await enlargeOrder(page);
      await page.goto(`/review-order/${await order(page)}`);
      await page.getByText(LONG_NAME).first().waitFor();
    },
    only: 'phone',
  },
  {
    name: 'an order of a hundred lines that was placed',
    address: '/about',
    before: fillCart,
    reach: async (page) => {
      await enlargeOrder(page);
      await page.goto(`/order-confirmed/${await placeOrder(page)}`);
      await page.getByText(LONG_NAME).first().waitFor();
    },
    only: 'phone',
  },
  {
    name: 'my orders, a hundred of long names',
    address: '/about',
    before: async (page) => {
      await enter(page, admin);
      await fillCart(page);
      await placeOrder(page);
      await enlarge(page, MY_ORDERS, ({ orders: [first] }: { orders: { items: Line[] }[] }) => ({
        orders: aHundred((place) => ({ ...first, _id: `order-${place}`, items: manyLines(first?.items ?? []) })),
      }));
    },
    reach: async (page) => {
      await page.goto('/viewAllOrders');
      await page.getByText('100 orders').waitFor();
    },
    only: 'phone',
  },
  { name: 'signing in', address: '/signin' },
  { name: 'signing up', address: '/signup' },
  { name: 'a forgotten password', address: '/forgot-password' },
];

const visit = async (screen: Screen, { address, before, reach }: State): Promise<Visit> => {
  const { page, problems } = await shop.visit(screen);
  // Without motion nothing is half way when it is looked at.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await before?.(page);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await reach?.(page);
  return { page, problems };
};
const open = async (screen: Screen, state: State): Promise<Page> => (await visit(screen, state)).page;

const on = (screen: Screen): readonly State[] => states.filter(({ only = screen }) => only === screen);

const isWithoutFault = async (page: Page): Promise<void> => {
  await hasNoFaults(page);
  await expect.poll(() => page.title()).toMatch(/^.+ · RUHANI$/);
};

const saysNothingElse = (problems: readonly string[], { says }: State): void =>
  expect(problems.filter((problem) => !says?.test(problem))).toEqual([]);

/** In a narrow window, and with text set wider. */
const losesNothing = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => fits(page)).toBe(true);
  await page.addStyleTag({ content: TEXT_SPACING });
  await expect.poll(() => cutOff(page)).toEqual([]);
  await expect.poll(() => fits(page)).toBe(true);
};

test.each(on('phone'))(
  'on a phone $name is without a fault, and loses nothing where the window is narrow or text is wide',
  async (state) => {
    const { page, problems } = await visit('phone', state);
    await isWithoutFault(page);
    await losesNothing(page);
    saysNothingElse(problems, state);
  },
);

test.each(on('desktop'))('on a desktop $name is without a fault', async (state) => {
  const { page, problems } = await visit('desktop', state);
  await isWithoutFault(page);
  saysNothingElse(problems, state);
});

describe('whoever goes by keyboard', () => {
  test.each([
    { name: 'home', address: '/' },
    { name: 'the shop', address: '/shop?collection=floral' },
    { name: 'a perfume', address: '/product/oud-saffron-majlis' },
    { name: 'a policy', address: '/terms' },
  ])('sees where they are on $name, forwards and backwards', async (state) => {
    const page = await open('desktop', state);
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const stops = await walk(page, key);
      expect(stops.length).toBeGreaterThan(10);
      expect(stops.filter(({ seen, marked }) => !seen || !marked)).toEqual([]);
    }
  });

  test('comes to the skip link first, then to the header, the page and the footer', async () => {
    const page = await open('desktop', { name: 'about', address: '/about' });
    const names = (await walk(page, 'Tab')).map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual(['A Skip to content', 'A RUHANI, home', 'A HOME', 'A SHOP', 'A ABOUT', 'A CONTACT']);
    expect(names.indexOf('A Shop the House')).toBeGreaterThan(names.indexOf('A Sign in'));
    expect(names.indexOf('A care@ruhani.example')).toBeGreaterThan(names.indexOf('A Shop the House'));
  });

  test('begins each new page at its main part, under its own title', async () => {
    const page = await open('desktop', { name: 'home', address: '/' });
    for (const [link, heading] of [
      ['ABOUT', 'About Us'],
      ['SHOP', 'All perfumes'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name: link }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForFunction((title) => document.title === `${title} · RUHANI`, heading);
      await page.waitForFunction(() => document.activeElement?.id === 'main');
      await expect.poll(() => page.getByRole('banner').getByRole('link', { name: link }).getAttribute('aria-current')).toBe('page');
    }
  });

  test('finds a perfume in the header by arrow keys, and comes back with Escape', async () => {
    const page = await open('desktop', { name: 'about', address: '/about' });
    const button = page.getByRole('button', { name: 'Search' });
    await button.focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('combobox', { name: 'Search products' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.type('oud');
    await page.getByRole('search').getByRole('status').getByText('5 matches').waitFor();
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('true');

    const active = () => page.getByRole('option', { selected: true });
    const options = page.getByRole('option');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => active().textContent()).toBe(await options.last().textContent());
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active().textContent()).toBe(await options.first().textContent());
    await expect.poll(() => box.getAttribute('aria-activedescendant')).toBe(await active().getAttribute('id'));
    await expect.poll(() => box.evaluate((input) => input === document.activeElement)).toBe(true);

    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((each) => each === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('gulab bagh');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Gulab Bagh' }).waitFor();
  });

  test('stays in the filter panel until it is closed, and is then back at its button', async () => {
    const page = await open('desktop', { name: 'the shop', address: '/shop' });
    const button = page.getByRole('button', { name: 'Filter & Sort' });
    await button.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Filter & Sort' });
    await panel.waitFor();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press('Tab');
      await expect.poll(() => panel.evaluate((each) => each.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Filter & Sort');
  });
});

describe('whoever hears the page', () => {
  test('is told how many perfumes a filter leaves', async () => {
    const page = await open('desktop', { name: 'the shop', address: '/shop' });
    await page.getByRole('status').getByText('30 perfumes').waitFor();
    await page.getByRole('searchbox', { name: 'Search products' }).fill('gulab');
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ perfumes?$/ })
      .filter({ hasNotText: '30' })
      .waitFor();
  });

  test('is told at once when the products could not be loaded', async () => {
    const page = await open('desktop', { name: 'failed', address: '/shop?q=oud', before: refuse });
    await page.getByRole('alert').getByText('Failed to load products.').waitFor();
    await page.unroute('**/api/product?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('5 perfumes').waitFor();
  });
});

test('whoever asked for less motion sees none: nothing rotates, slides, fades or grows by itself', async () => {
  const { page } = await shop.visit('desktop');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'bestsellers' }).getByRole('article').first().scrollIntoViewIfNeeded();
  await page.clock.runFor(30_000);
  expect(
    await page
      .getByText(/^1 \/ \d$/)
      .locator('visible=true')
      .count(),
  ).toBe(2);
  const moving = await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(moving).toBe(0);
});
