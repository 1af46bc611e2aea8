import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  alert,
  button,
  called,
  enlarge,
  heading,
  longName,
  many,
  NOT_FOUND,
  press,
  refuseAll,
  RESTING,
  testScreens,
  text,
} from './a11y.ts';
import { answered, checkOut, enter, moveOrder, placeOrder, receiveReturn } from './customers.ts';
import { shop } from './harness.ts';
import { admin } from './servers.ts';

/** Fills the cart by an API call with the cookies of the browser that will open the page. */
const fillCart = (page: Page) => page.request.post('/api/cart/add-to-cart', { data: { _id: 'ruh-gulab', quantity: 2 } });
const GIFT = { giftMessage: 'For the rains' };
const review = async (page: Page) => `/review-order/${(await checkOut(page, GIFT))._id}`;
const placed = async (page: Page) => `/order-confirmed/${(await placeOrder(page, GIFT))._id}`;
const openDesk = async (): Promise<Page> => {
  const { page } = await shop.visit('desktop');
  await enter(page, admin);
  return page;
};
const move = async (page: Page, ...statuses: readonly string[]): Promise<string> => {
  const { _id } = await placeOrder(page, GIFT);
  const desk = await openDesk();
  await moveOrder(desk, { _id }, ...statuses);
  await expect.poll(async () => (await page.request.get(`/api/order/${_id}/invoice`)).status()).toBe(200);
  return _id;
};
/** Makes the cart fail for a visitor who has one; for others the shop knows that the cart is empty and makes no call. */
const refuseCart = async (page: Page): Promise<void> => {
  await fillCart(page);
  await refuseAll(page, '**/api/cart/get-cart');
};
const PRICE_CHANGED = {
  message: 'Changed since you checked out: Ruh Gulab.',
  code: 'offer_changed',
  errors: { 'ruh-gulab': 'Ruh Gulab now costs more' },
};
const ALREADY_ORDERED = {
  message: 'You ordered these today, RH-4WPDX9CT. Place this order anyway only if you want both.',
  code: 'already_ordered',
  orderNumber: 'RH-4WPDX9CT',
  orderId: crypto.randomUUID(),
};
const refusePlacing = (json: object) => (page: Page) =>
  page.route('**/api/order/place-order/*', (route) => route.fulfill({ status: 409, json }));
const changePrice = refusePlacing(PRICE_CHANGED);

const MY_ORDERS = '**/api/order/get-AllOrders*';

type Line = { readonly product: object };
const manyLines = ([line]: readonly Line[]) =>
  many((place) => ({ ...line, productId: `perfume-${place}`, quantity: 99, product: called(line?.product ?? {}, place) }));
const enlargeOrder = async (page: Page): Promise<void> => {
  // The live page would send the order as it is.
  await page.route('**/api/order/*/live', (route) => route.fulfill({ status: 204 }));
  await enlarge(page, '**/api/order/get-order/*', (order: { items: Line[] }) => ({ ...order, items: manyLines(order.items) }));
};
const enlargeCart = async (page: Page, larger: (cart: { readonly items: readonly Line[] }) => object): Promise<void> => {
  await fillCart(page);
  await enlarge(page, '**/api/cart/get-cart', larger);
};

/** A cart with an unavailable perfume and a changed price, both of which block the checkout. */
const changedCart = (cart: { readonly items: readonly Line[] }) => ({
  ...cart,
  items: manyLines(cart.items).map((line, place) => ({
    ...line,
    ...(place === 1 && { unavailable: true }),
    ...(place === 2 && { priceChangedFrom: '₹12,00,000.00' }),
  })),
});

testScreens('buyer', [
  { name: 'the empty cart', address: '/cart', as: 'stranger' },
  { name: 'the cart that did not come', address: '/cart', before: refuseCart, shows: alert, says: RESTING },
  {
    name: 'the cart',
    address: '/cart',
    before: fillCart,
    shows: (page) => page.getByRole('list', { name: 'Perfumes in your cart' }),
  },
  {
    name: 'the cart, changed and of many long names',
    address: '/cart',
    before: (page) => enlargeCart(page, changedCart),
    shows: text('The price has changed from ₹12,00,000.00 since you added it.'),
  },
  { name: 'a checkout of nothing', address: '/checkout', as: 'stranger' },
  { name: 'a checkout that cannot know the cart', address: '/checkout', before: refuseCart, shows: alert, says: RESTING },
  {
    name: 'the checkout of many lines',
    address: '/checkout',
    before: (page) => enlargeCart(page, (cart) => ({ ...cart, items: manyLines(cart.items) })),
    shows: longName,
  },
  { name: 'the order of many lines before it is placed', address: review, before: enlargeOrder, shows: longName },
  { name: 'the order of many lines that was placed', address: placed, before: enlargeOrder, shows: longName },
  {
    name: 'the invoice of an order',
    address: async (page) => `/invoice/${await move(page, 'confirmed', 'shipped')}`,
    shows: text('SAMPLE'),
  },
  {
    name: 'the invoice of an order that has not shipped',
    address: async (page) => `/invoice/${(await placeOrder(page))._id}`,
    shows: heading('No invoice yet'),
    says: NOT_FOUND,
  },
  { name: 'an order that is not there', address: `/order-confirmed/${crypto.randomUUID()}`, as: 'stranger', says: NOT_FOUND },
  {
    name: 'the data of a guest, about to be erased',
    address: async (page) => {
      const { _id } = await placeOrder(page);
      await page.request.put(`/api/order/cancel/${_id}`, { data: { reason: '' } });
      return `/order-confirmed/${_id}`;
    },
    reach: press('Erase my personal data'),
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'the order that was returned',
    address: async (page) => {
      const _id = await move(page, 'confirmed', 'shipped', 'delivered');
      await answered(await page.request.put(`/api/order/return/${_id}`, { data: { reason: 'Not for me', opened: false } }));
      await receiveReturn(await openDesk(), { _id });
      return `/order-confirmed/${_id}`;
    },
    shows: (page) => page.getByRole('link', { name: /^Credit note RC/ }),
  },
  {
    name: 'the order whose price has changed',
    address: review,
    before: changePrice,
    reach: press('Place Order'),
    shows: button('Refresh order'),
    says: /409/,
  },
  {
    name: 'the order whose bottles another order has taken',
    address: review,
    before: refusePlacing(ALREADY_ORDERED),
    reach: press('Place Order'),
    shows: button('Place it anyway'),
    says: /409/,
  },
  {
    name: 'the order after a refresh',
    address: review,
    before: changePrice,
    reach: async (page) => {
      await press('Place Order')(page);
      await press('Refresh order')(page);
    },
    shows: text(/^Your order is up to date/),
    says: /409/,
  },
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
    shows: text('12 orders'),
  },
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
]);
