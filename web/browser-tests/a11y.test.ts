import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkOut, enter, moveOrder, placeOrder } from './customers.ts';
import { beyond, cutOff, hasNoFaults, TEXT_SPACING, walk } from './faults.ts';
import { screens, shop, type Screen, type Visit } from './harness.ts';
import { admin, auditor } from './servers.ts';

/** Each visitor of the tests has one window, because opening a page there takes far less work than in a new window. */
let visitors: Record<'stranger' | 'typist' | 'buyer' | 'admin' | 'auditor', Visit>;
beforeAll(async () => {
  const [stranger, buyer] = [await shop.visit('phone'), await shop.visit('phone')];
  const typist = await shop.visit('desktop');
  visitors = { stranger, typist, buyer, admin: await shop.visit('phone'), auditor: await shop.visit('phone') };
  await enter(visitors.admin.page, admin);
  await enter(visitors.auditor.page, auditor);
});

type State = {
  /** The name is part of the test's title: 'the shop, filtered'. */
  readonly name: string;
  /** May be made first, for example by an order. */
  readonly address: string | ((page: Page) => Promise<string>);
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

/** Fills the cart by an API call with the cookies of the browser that will open the page. */
const fillCart = (page: Page) => page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
const GIFT = { giftMessage: 'For the rains' };
const review = async (page: Page) => `/review-order/${(await checkOut(page, GIFT))._id}`;
const placed = async (page: Page) => `/order-confirmed/${(await placeOrder(page, GIFT))._id}`;
const shipOrder = async (page: Page): Promise<string> => {
  const { _id } = await placeOrder(page, GIFT);
  await moveOrder(visitors.admin.page, { _id }, 'confirmed', 'shipped');
  await expect.poll(async () => (await page.request.get(`/api/order/${_id}/invoice`)).status()).toBe(200);
  return _id;
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
const MANY = 12;
const many = <Thing>(make: (place: number) => Thing): Thing[] => Array.from({ length: MANY }, (_, place) => make(place));
const manyLines = ([line]: readonly Line[]) =>
  many((place) => ({ ...line, productId: `perfume-${place}`, quantity: 99, product: called(line?.product ?? {}, place) }));
const enlarge = <Answer>(page: Page, calls: string, larger: (answer: Answer) => unknown) =>
  page.route(calls, async (route) => {
    const response = await route.fetch();
    const answer: Answer = await response.json();
    const headers = { ...response.headers(), 'x-total-count': String(MANY) };
    await route.fulfill({ response, headers, json: larger(answer) });
  });
const enlargeOrder = (page: Page) =>
  enlarge(page, '**/api/order/get-order/*', (order: { items: Line[] }) => ({ ...order, items: manyLines(order.items) }));
const enlargeProducts = (page: Page) =>
  enlarge(page, '**/api/product?**', ([first = {}]: object[]) => many((place) => called(first, place)));

/** A cart with an unavailable perfume and a changed price, both of which block the checkout. */
const changedCart = (cart: { readonly items: readonly Line[] }) => ({
  ...cart,
  items: manyLines(cart.items).map((line, place) => ({
    ...line,
    ...(place === 1 && { unavailable: true }),
    ...(place === 2 && { priceChangedFrom: '₹12,00,000.00' }),
  })),
});

const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown).first();
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first();
const button = (name: string) => (page: Page) => page.getByRole('button', { name });
const press = (name: string) => (page: Page) => button(name)(page).click();
const longName = text(LONG_NAME);
const alert = (page: Page) => page.getByRole('alert');

/** Every state of every screen of the shop. Add a line for each new screen. */
const states: readonly State[] = [
  { name: 'home', address: '/', shows: heading('Bestsellers') },
  { name: 'the shop', address: '/shop' },
  { name: 'the shop, filtered', address: '/shop?collection=floral,musk&maxPrice=2800&sort=price&q=a' },
  { name: 'the shop, empty', address: '/shop?collection=attar&maxPrice=100', shows: text('No products found in Attar') },
  { name: 'the shop, loading', address: '/shop?q=oud', before: neverAnswer, shows: text('Loading products...') },
  { name: 'the shop, failed', address: '/shop?q=oud', before: refuse, shows: text('Failed to load products.'), says: RESTING },
  { name: 'the filter panel', address: '/shop', reach: press('Filter & Sort'), shows: button('Show 30 perfumes') },
  { name: 'a perfume', address: '/product/oud-saffron-majlis', shows: text('You May Also Like') },
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
    shows: heading('Something went wrong'),
    says: /AboutPage|ERR_FAILED/,
  },
  {
    name: 'a page whose words did not come',
    address: '/shop',
    before: (page) => page.route('**/assets/site-content-*.js', (route) => route.abort()),
    shows: text('Part of this page could not be loaded. Check your connection.'),
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
    name: 'the menu',
    address: '/about',
    reach: press('Menu'),
    shows: (page) => page.getByRole('banner').getByRole('link', { name: 'ABOUT' }),
    only: 'phone',
  },
  { name: 'the contact page', address: '/contact', shows: (page) => page.getByRole('textbox', { name: 'Message' }) },
  { name: 'the contact page, refused', address: '/contact', reach: press('Send Message'), shows: alert },
  { name: 'leaving the letters', address: '/unsubscribe' },
  { name: 'ending notices', address: '/notices/end/token' },
  { name: 'the empty cart', address: '/cart' },
  { name: 'the cart that did not come', address: '/cart', as: 'buyer', before: refuseCart, shows: alert, says: RESTING },
  {
    name: 'the cart',
    address: '/cart',
    as: 'buyer',
    before: fillCart,
    shows: (page) => page.getByRole('list', { name: 'Perfumes in your cart' }),
  },
  {
    name: 'the cart, changed and of many long names',
    address: '/cart',
    as: 'buyer',
    before: async (page) => {
      await fillCart(page);
      await enlarge(page, '**/api/cart/get-cart', changedCart);
    },
    shows: text('The price has changed from ₹12,00,000.00 since you added it.'),
  },
  { name: 'a checkout of nothing', address: '/checkout' },
  { name: 'a checkout that cannot know the cart', address: '/checkout', as: 'buyer', before: refuseCart, shows: alert, says: RESTING },
  {
    name: 'the checkout',
    address: '/checkout',
    as: 'buyer',
    before: fillCart,
    shows: (page) => page.getByRole('textbox', { name: 'Postal Code' }),
  },
  {
    name: 'the order before it is placed',
    address: review,
    as: 'buyer',
    shows: (page) => page.getByRole('complementary', { name: 'Order Summary' }),
  },
  { name: 'the order that was placed', address: placed, as: 'buyer', shows: text(/RH-[2-9A-Z]{8}/) },
  { name: 'the invoice of an order', address: async (page) => `/invoice/${await shipOrder(page)}`, as: 'buyer', shows: text('SAMPLE') },
  {
    name: 'the invoice of an order that has not shipped',
    address: async (page) => `/invoice/${(await placeOrder(page))._id}`,
    as: 'buyer',
    shows: heading('No invoice yet'),
    says: NOT_FOUND,
  },
  { name: 'an order that is not there', address: `/order-confirmed/${crypto.randomUUID()}`, says: NOT_FOUND },
  {
    name: 'the data of a guest, about to be erased',
    address: async (page) => {
      const { _id } = await placeOrder(page);
      await page.request.put(`/api/order/cancel/${_id}`, { data: { reason: '' } });
      return `/order-confirmed/${_id}`;
    },
    as: 'buyer',
    reach: press('Erase my personal data'),
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'the order whose price has changed',
    address: review,
    as: 'buyer',
    before: async (page) => {
      const json = {
        message: 'Changed since you checked out: Ruh Gulab.',
        code: 'offer_changed',
        errors: { 'ruh-gulab': 'Ruh Gulab now costs more' },
      };
      await page.route('**/api/order/place-order/*', (route) => route.fulfill({ status: 409, json }));
    },
    reach: press('Place Order'),
    shows: button('Refresh order'),
    says: /409/,
  },
  { name: 'my orders', address: '/viewAllOrders', as: 'admin', before: (page) => placeOrder(page), shows: heading(/RH-/) },
  { name: 'my orders, none', address: '/viewAllOrders', as: 'auditor', shows: text('You haven’t placed any orders yet.') },
  {
    name: 'my orders, failed',
    address: '/viewAllOrders',
    as: 'auditor',
    before: (page) => refuseAll(page, MY_ORDERS),
    shows: button('Try again'),
    says: RESTING,
  },
  { name: 'the account', address: '/account', as: 'auditor', shows: button('Download my data') },
  { name: 'the shop, of long names', address: '/shop?q=oud', before: enlargeProducts, shows: heading(LONG_NAME) },
  {
    name: 'a checkout of many lines',
    address: '/checkout',
    as: 'buyer',
    before: async (page) => {
      await fillCart(page);
      await enlarge(page, '**/api/cart/get-cart', (cart: { items: Line[] }) => ({ ...cart, items: manyLines(cart.items) }));
    },
    shows: longName,
    only: 'phone',
  },
  { name: 'an order of many lines before placing', address: review, as: 'buyer', before: enlargeOrder, shows: longName, only: 'phone' },
  { name: 'an order of many lines that was placed', address: placed, as: 'buyer', before: enlargeOrder, shows: longName, only: 'phone' },
  {
    name: 'my orders, many of long names',
    address: '/viewAllOrders',
    as: 'admin',
    before: async (page) => {
      await placeOrder(page);
      await enlarge(page, MY_ORDERS, ({ orders: [first] }: { orders: { items: Line[] }[] }) => {
        const lines = manyLines(first?.items ?? []);
        return { orders: many((place) => ({ ...first, _id: `order-${place}`, items: place === 0 ? lines : lines.slice(0, 1) })) };
      });
    },
    shows: text(`${MANY} orders`),
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
  await page.goto(typeof state.address === 'string' ? state.address : await state.address(page));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await state.reach?.(page);
  await isThere(page, state);
  return visited;
};
const open = async (state: State): Promise<Page> => (await visit('desktop', { ...state, as: 'typist' })).page;

/** Checks that nothing is cut off in a narrow window and with wider text spacing. */
const losesNothing = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => beyond(page)).toEqual([]);
  await page.addStyleTag({ content: TEXT_SPACING });
  await expect.poll(() => cutOff(page)).toEqual([]);
  await expect.poll(() => beyond(page)).toEqual([]);
};

test.each(states)(
  '$name has no accessibility faults, fits every window, and loses nothing in narrow ones or with wide text',
  async (state) => {
    const { page, problems } = await visit('phone', state);
    for (const screen of state.only ? [state.only] : (['phone', 'desktop'] as const)) {
      await page.setViewportSize(screens[screen]);
      await isThere(page, state);
      await expect.poll(() => beyond(page)).toEqual([]);
      // A state that a click or a failed call causes looks alike on phone and desktop, so the phone is enough.
      if (screen === 'phone' || !(state.before || state.reach)) await hasNoFaults(page);
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
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.reload();
    const names = (await walk(page, 'Tab')).map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual(['A Skip to content', 'A RUHANI, home', 'A HOME', 'A SHOP', 'A ABOUT', 'A CONTACT']);
    expect(names.indexOf('A Shop the House')).toBeGreaterThan(names.indexOf('A Sign in'));
    expect(names.indexOf('A care@ruhani.example')).toBeGreaterThan(names.indexOf('A Shop the House'));
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

test('with reduced motion, nothing rotates, slides, fades or grows by itself', async () => {
  const { page } = await shop.visit('desktop', 'newcomer');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('region', { name: 'bestsellers' }).getByRole('article').first().scrollIntoViewIfNeeded();
  await page.clock.runFor(30_000);
  await expect(
    page
      .getByText(/^1 \/ \d$/)
      .locator('visible=true')
      .count(),
  ).resolves.toBe(2);
  const moving = await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(moving).toBe(0);
});
