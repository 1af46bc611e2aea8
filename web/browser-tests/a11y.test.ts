import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cutOff, fits, hasNoFaults, TEXT_SPACING, walk } from './faults.ts';
import { admin, auditor, openBrowserShop, screens, type BrowserShop, type Screen, type Visit } from './harness.ts';
import { enter } from './customers.ts';

let shop: BrowserShop;
/** Each visitor of the tests has one window, because opening a page there takes far less work than in a new window. */
let visitors: Record<'stranger' | 'typist' | 'buyer' | 'admin' | 'auditor', Visit>;
beforeAll(async () => {
  shop = await openBrowserShop();
  const [stranger, buyer] = [await shop.visit('phone'), await shop.visit('phone')];
  const typist = await shop.visit('desktop');
  visitors = { stranger, typist, buyer, admin: await shop.visit('phone'), auditor: await shop.visit('phone') };
  await enter(visitors.admin.page, admin);
  await enter(visitors.auditor.page, auditor);
});
afterAll(() => shop.close());

type State = {
  /** The name is part of the test's title: 'the shop, filtered'. */
  readonly name: string;
  readonly address: string;
  /** The visitor. The default is a stranger, who has no cookie. */
  readonly as?: keyof typeof visitors;
  /** Runs before the page is opened, for example to make calls fail or scripts not load. */
  readonly before?: (page: Page) => Promise<unknown>;
  readonly reach?: (page: Page) => Promise<unknown>;
  /** An element that appears in this state. The test waits for it at each width. */
  readonly shows?: (page: Page) => Locator;
  /** Messages that the browser itself writes to the console about the failures of this state. No others are allowed. */
  readonly says?: RegExp;
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
/** Fills the cart by an API call with the cookies of the browser that will open the page. */
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
const shipOrder = async (page: Page): Promise<string> => {
  const id = await placeOrder(page);
  for (const status of ['confirmed', 'shipped'])
    await visitors.admin.page.request.put(`/api/admin/order/${id}/status`, { data: { status } });
  await expect.poll(async () => (await page.request.get(`/api/order/${id}/invoice`)).status()).toBe(200);
  return id;
};
/** Makes the cart fail for a visitor who has one; for others the shop knows that the cart is empty and makes no call. */
const refuseCart = async (page: Page): Promise<void> => {
  await fillCart(page);
  await refuseAll(page, '**/api/cart/get-cart');
};

const MY_ORDERS = '**/api/order/get-AllOrders*';

type Line = { readonly product: object };
const LONG_NAME = `The Extraordinarily Long Name Of A Perfume From Kannauj ${'Gulab'.repeat(20)}`.slice(0, 120);
const called = <Product extends object>(product: Product, place: number) => ({ ...product, _id: `perfume-${place}`, name: LONG_NAME });
const aHundred = <Thing>(make: (place: number) => Thing): Thing[] => Array.from({ length: 100 }, (_, place) => make(place));
const manyLines = ([line]: readonly Line[]) =>
  aHundred((place) => ({ ...line, productId: `perfume-${place}`, quantity: 99, product: called(line?.product ?? {}, place) }));
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

/** Every state of every screen of the shop. Add a line for each new screen. */
const states: readonly State[] = [
  { name: 'home', address: '/', shows: (page) => page.getByRole('heading', { name: 'Bestsellers' }) },
  { name: 'the shop', address: '/shop' },
  { name: 'the shop, filtered', address: '/shop?collection=floral,musk&maxPrice=2800&sort=price&q=a' },
  {
    name: 'the shop, empty',
    address: '/shop?collection=attar&maxPrice=100',
    shows: (page) => page.getByText('No products found in Attar'),
  },
  { name: 'the shop, loading', address: '/shop?q=oud', before: neverAnswer, shows: (page) => page.getByText('Loading products...') },
  {
    name: 'the shop, failed',
    address: '/shop?q=oud',
    before: refuse,
    shows: (page) => page.getByText('Failed to load products.'),
    says: RESTING,
  },
  {
    name: 'the filter panel',
    address: '/shop',
    reach: (page) => page.getByRole('button', { name: 'Filter & Sort' }).click(),
    shows: (page) => page.getByRole('button', { name: 'Show 30 perfumes' }),
  },
  { name: 'a perfume', address: '/product/oud-saffron-majlis', shows: (page) => page.getByText('You May Also Like') },
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
    shows: (page) => page.getByRole('heading', { name: 'Something went wrong' }),
    says: /AboutPage|ERR_FAILED/,
  },
  {
    name: 'a page whose words did not come',
    address: '/shop',
    before: (page) => page.route('**/assets/site-content-*.js', (route) => route.abort()),
    shows: (page) => page.getByText('Part of this page could not be loaded. Check your connection.'),
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
    shows: (page) => page.getByRole('option', { selected: true }),
  },
  {
    name: 'the search without an answer',
    address: '/about',
    before: refuse,
    reach: (page) => search(page, 'oud'),
    shows: (page) => page.getByText('Search is not answering'),
    says: RESTING,
  },
  {
    name: 'the menu',
    address: '/about',
    reach: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    shows: (page) => page.getByRole('banner').getByRole('link', { name: 'ABOUT' }),
    only: 'phone',
  },
  { name: 'the contact page', address: '/contact', shows: (page) => page.getByRole('textbox', { name: 'Message' }) },
  { name: 'leaving the letters', address: '/unsubscribe' },
  { name: 'ending notices', address: '/notices/end/token' },
  { name: 'the empty cart', address: '/cart' },
  {
    name: 'the cart that did not come',
    address: '/cart',
    as: 'buyer',
    before: refuseCart,
    shows: (page) => page.getByRole('alert'),
    says: RESTING,
  },
  {
    name: 'the cart',
    address: '/cart',
    as: 'buyer',
    before: fillCart,
    shows: (page) => page.getByRole('list', { name: 'Perfumes in your cart' }),
  },
  { name: 'a checkout of nothing', address: '/checkout' },
  {
    name: 'a checkout that cannot know the cart',
    address: '/checkout',
    as: 'buyer',
    before: refuseCart,
    shows: (page) => page.getByRole('alert'),
    says: RESTING,
  },
  {
    name: 'the checkout',
    address: '/checkout',
    as: 'buyer',
    before: fillCart,
    shows: (page) => page.getByRole('textbox', { name: 'Postal Code' }),
  },
  {
    name: 'the order before it is placed',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => page.goto(`/review-order/${await order(page)}`),
    shows: (page) => page.getByRole('complementary', { name: 'Order Summary' }),
  },
  {
    name: 'the order that was placed',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => page.goto(`/order-confirmed/${await placeOrder(page)}`),
    shows: (page) => page.getByText(/RH-[2-9A-Z]{8}/).first(),
  },
  {
    name: 'the invoice of an order',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => page.goto(`/invoice/${await shipOrder(page)}`),
    shows: (page) => page.getByText('SAMPLE'),
  },
  {
    name: 'the invoice of an order that has not shipped',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => page.goto(`/invoice/${await placeOrder(page)}`),
    shows: (page) => page.getByRole('heading', { name: 'No invoice yet' }),
    says: NOT_FOUND,
  },
  {
    name: 'the data of a guest, about to be erased',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => {
      const id = await placeOrder(page);
      await page.request.put(`/api/order/cancel/${id}`, { data: { reason: '' } });
      await page.goto(`/order-confirmed/${id}`);
      await page.getByRole('button', { name: 'Erase my personal data' }).click();
    },
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'the order whose price has changed',
    address: '/about',
    as: 'buyer',
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
    },
    shows: (page) => page.getByRole('button', { name: 'Refresh order' }),
    says: /409/,
  },
  {
    name: 'my orders',
    address: '/about',
    as: 'admin',
    before: async (page) => {
      await fillCart(page);
      await placeOrder(page);
    },
    reach: (page) => page.goto('/viewAllOrders'),
    shows: (page) => page.getByRole('heading', { level: 2, name: /RH-/ }).first(),
  },
  {
    name: 'my orders, none',
    address: '/viewAllOrders',
    as: 'auditor',
    shows: (page) => page.getByText('You haven’t placed any orders yet.'),
  },
  {
    name: 'my orders, loading',
    address: '/viewAllOrders',
    as: 'auditor',
    before: (page) => page.route(MY_ORDERS, () => undefined),
    shows: (page) => page.getByText('Loading your orders...'),
  },
  {
    name: 'my orders, failed',
    address: '/viewAllOrders',
    as: 'auditor',
    before: (page) => refuseAll(page, MY_ORDERS),
    shows: (page) => page.getByRole('button', { name: 'Try again' }),
    says: RESTING,
  },
  {
    name: 'the account',
    address: '/account',
    as: 'auditor',
    shows: (page) => page.getByRole('button', { name: 'Download my data' }),
  },
  {
    name: 'the shop, of long names',
    address: '/shop?q=oud',
    before: enlargeProducts,
    shows: (page) => page.getByRole('heading', { name: LONG_NAME }).first(),
  },
  {
    name: 'a checkout of a hundred lines',
    address: '/checkout',
    as: 'buyer',
    before: async (page) => {
      await fillCart(page);
      await enlarge(page, '**/api/cart/get-cart', (cart: { items: Line[] }) => ({ ...cart, items: manyLines(cart.items) }));
    },
    shows: (page) => page.getByText(LONG_NAME).first(),
    only: 'phone',
  },
  {
    name: 'an order of a hundred lines before it is placed',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => {
      await enlargeOrder(page);
      await page.goto(`/review-order/${await order(page)}`);
    },
    shows: (page) => page.getByText(LONG_NAME).first(),
    only: 'phone',
  },
  {
    name: 'an order of a hundred lines that was placed',
    address: '/about',
    as: 'buyer',
    before: fillCart,
    reach: async (page) => {
      await enlargeOrder(page);
      await page.goto(`/order-confirmed/${await placeOrder(page)}`);
    },
    shows: (page) => page.getByText(LONG_NAME).first(),
    only: 'phone',
  },
  {
    name: 'my orders, a hundred of long names',
    address: '/about',
    as: 'admin',
    before: async (page) => {
      await fillCart(page);
      await placeOrder(page);
      await enlarge(page, MY_ORDERS, ({ orders: [first] }: { orders: { items: Line[] }[] }) => {
        const lines = manyLines(first?.items ?? []);
        return { orders: aHundred((place) => ({ ...first, _id: `order-${place}`, items: place === 0 ? lines : lines.slice(0, 1) })) };
      });
    },
    reach: (page) => page.goto('/viewAllOrders'),
    shows: (page) => page.getByText('100 orders'),
    only: 'phone',
  },
  { name: 'signing in', address: '/signin' },
  { name: 'signing up', address: '/signup' },
  { name: 'a forgotten password', address: '/forgot-password' },
];

const isThere = async (page: Page, { shows }: State): Promise<void> => shows?.(page).waitFor();

/** Resets the window on a URL of the shop that is no page, where nothing can disturb the next test. */
const leave = async ({ page, problems }: Visit): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('/favicon.svg');
  await page.evaluate(() => sessionStorage.clear());
  await page.mouse.move(0, 0);
  problems.length = 0;
};

const visit = async (screen: Screen, state: State): Promise<Visit> => {
  const visited = visitors[state.as ?? 'stranger'];
  onTestFinished(() => leave(visited));
  const { page } = visited;
  await page.setViewportSize(screens[screen]);
  // Without motion, no animation is half-way when the page is checked.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await state.before?.(page);
  await page.goto(state.address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await state.reach?.(page);
  await isThere(page, state);
  return visited;
};
const open = async (state: State): Promise<Page> => (await visit('desktop', { ...state, as: 'typist' })).page;

/** Checks that nothing is cut off in a narrow window and with wider text spacing. */
const losesNothing = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => fits(page)).toBe(true);
  await page.addStyleTag({ content: TEXT_SPACING });
  await expect.poll(() => cutOff(page)).toEqual([]);
  await expect.poll(() => fits(page)).toBe(true);
};

test.each(states)(
  '$name has no accessibility faults on phone and desktop, and loses nothing in narrow windows or with wide text',
  async (state) => {
    const { page, problems } = await visit('phone', state);
    for (const screen of state.only ? [state.only] : (['phone', 'desktop'] as const)) {
      await page.setViewportSize(screens[screen]);
      await isThere(page, state);
      await expect.poll(() => fits(page)).toBe(true);
      await hasNoFaults(page);
    }
    await expect.poll(() => page.title()).toMatch(/^.+ · RUHANI$/);
    await losesNothing(page);
    expect(problems.filter((problem) => !state.says?.test(problem))).toEqual([]);
  },
);

describe('a shopper with a keyboard', () => {
  test.each([
    { name: 'home', address: '/' },
    { name: 'the shop', address: '/shop?collection=floral' },
    { name: 'a perfume', address: '/product/oud-saffron-majlis' },
    { name: 'a policy', address: '/terms' },
  ])('sees the focus on $name, forwards and backwards', async (state) => {
    const page = await open(state);
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const stops = await walk(page, key);
      expect(stops.length).toBeGreaterThan(10);
      expect(stops.filter(({ seen, marked }) => !seen || !marked)).toEqual([]);
    }
  });

  test('reaches the skip link first, then the header, the page and the footer', async () => {
    const page = await open({ name: 'about', address: '/about' });
    const names = (await walk(page, 'Tab')).map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual(['A Skip to content', 'A RUHANI, home', 'A HOME', 'A SHOP', 'A ABOUT', 'A CONTACT']);
    expect(names.indexOf('A Shop the House')).toBeGreaterThan(names.indexOf('A Sign in'));
    expect(names.indexOf('A care@ruhani.example')).toBeGreaterThan(names.indexOf('A Shop the House'));
  });

  test('starts each new page at its main part, with its own title', async () => {
    const page = await open({ name: 'home', address: '/' });
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

  test('can choose a perfume in the header search with arrow keys, and returns with Escape', async () => {
    const page = await open({ name: 'about', address: '/about' });
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

  test('stays in the filter panel until it is closed, and is then on its button', async () => {
    const page = await open({ name: 'the shop', address: '/shop' });
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

describe('a shopper with a screen reader', () => {
  test('hears how many perfumes a filter leaves', async () => {
    const page = await open({ name: 'the shop', address: '/shop' });
    await page.getByRole('status').getByText('30 perfumes').waitFor();
    await page.getByRole('searchbox', { name: 'Search products' }).fill('gulab');
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ perfumes?$/ })
      .filter({ hasNotText: '30' })
      .waitFor();
  });

  test('hears at once that the products could not be loaded', async () => {
    const page = await open({ name: 'failed', address: '/shop?q=oud', before: refuse });
    await page.getByRole('alert').getByText('Failed to load products.').waitFor();
    await page.unroute('**/api/product?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('5 perfumes').waitFor();
  });
});

test('with reduced motion, nothing rotates, slides, fades or grows by itself', async () => {
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
