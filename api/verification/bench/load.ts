import autocannon from 'autocannon';

import { categories } from '#domain/product/events.ts';

import type { Browser } from '../../accounts/testing/browser.ts';
import { Cookies } from '../journeys/browsing.ts';
import { sampleProduct, sampleWords } from './samples/sample-products.ts';
import { sampleShipping } from './samples/sampled-orders.ts';
import type { StockedShop } from './stocked-shop.ts';

/** What one visitor of the shop knows between two steps of a journey. */
type Visit = { cookies?: Cookies; order?: string };

type Load = {
  readonly name: string;
  readonly requests: (shop: StockedShop) => readonly autocannon.Request[];
  /** How many requests are one piece of work, of which a rush brings many; otherwise a shopper waits for each answer. */
  readonly steps?: number;
};

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 4;
const SECONDS = 8;
/** Of each kind: enough that they are not the same few answers. */
const DIFFERENT = 500;

const oneOf = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
};

const reads = (path: () => string, by: readonly Browser[] = []): readonly autocannon.Request[] =>
  Array.from({ length: DIFFERENT }, () => {
    const cookies = by.length > 0 ? [...oneOf(by).cookies] : [];
    return { path: path(), headers: { cookie: cookies.map((pair) => pair.join('=')).join('; ') } };
  });

const listing = (): string => `/api/product?category=${oneOf(categories)}&limit=20&minPrice=${Math.floor(Math.random() * 5_000)}`;

/** Some letters of the words in product names, as they are typed into the search box. */
const search = (): string => {
  const word = oneOf(sampleWords).toLowerCase();
  return `/api/product?q=${word.slice(0, 3 + Math.floor(Math.random() * 5))}&limit=20`;
};

type Step = {
  readonly method: 'POST' | 'PUT';
  readonly path: (visit: Visit) => string;
  readonly body: () => object;
  readonly learn?: (visit: Visit, answer: string) => void;
};

/** A request with the visitor's cookies, and with a key like every change of the shop's own client. */
const change = ({ method, path, body, learn }: Step): autocannon.Request => ({
  method,
  setupRequest: (request, context) => {
    const visit: Visit = context;
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
      ...(visit.cookies && { cookie: String(visit.cookies) }),
    };
    return { ...request, path: path(visit), headers, body: JSON.stringify(body()) };
  },
  onResponse: (_, answer, context, headers) => {
    const visit: Visit = context;
    visit.cookies ??= new Cookies();
    // Autocannon hands the headers on as they were sent.
    visit.cookies.keep([(headers as Record<string, string | readonly string[]>)['Set-Cookie'] ?? []].flat());
    learn?.(visit, answer);
  },
});

/** Those of the sample products that are for sale. */
const add = change({
  method: 'POST',
  path: () => '/api/cart/add-to-cart',
  body: () => ({ _id: sampleProduct(Math.floor(Math.random() * DIFFERENT)).id }),
});
const create = change({
  method: 'POST',
  path: () => '/api/order/create-order',
  body: () => ({ shipping: sampleShipping(), giftWrap: true, giftMessage: 'With love' }),
  learn: (visit, answer) => (visit.order = /"order":\{"_id":"([^"]+)"/.exec(answer)?.[1] ?? ''),
});
const place = change({
  method: 'PUT',
  path: ({ order = '' }) => `/api/order/place-order/${order}`,
  body: () => ({ method: 'COD' }),
});

/** In the order in which they are measured. */
export const loads: readonly Load[] = [
  { name: 'page of the listing', requests: () => reads(listing) },
  { name: 'product', requests: () => reads(() => `/api/product/${sampleProduct(Math.floor(Math.random() * DIFFERENT)).id}`) },
  { name: 'search', requests: () => reads(search) },
  { name: 'My Orders', requests: ({ shoppers }) => reads(() => '/api/order/get-AllOrders', shoppers) },
  { name: 'orders of the desk', requests: ({ admin }) => reads(() => '/api/admin/orders?limit=20', [admin]) },
  { name: 'adding to the cart', requests: () => Array.from({ length: 10 }, () => add), steps: 1 },
  { name: 'whole order: cart, checkout, placing', requests: () => [add, create, place], steps: 3 },
];

/**
 * Sends the requests one after the other on each of 16 connections. Returns how many pieces of work are done a second, or within which time
 * 99 of 100 requests are answered. Throws if a request is refused: refusals are fast, and no work.
 */
export const measure = async (shop: StockedShop, { name, requests, steps }: Load): Promise<string> => {
  const asked = requests(shop);
  const fire = (duration: number) => autocannon({ url: shop.url, connections: CONNECTIONS, duration, requests: [...asked] });
  await fire(WARM_UP_SECONDS);
  const { requests: answered, latency, non2xx, errors, timeouts } = await fire(SECONDS);
  if (non2xx + errors + timeouts > 0) throw new Error(`${name}: ${non2xx} requests were refused, ${errors} failed, ${timeouts} timed out`);
  return steps === undefined ? `${latency.p99} ms` : `${Math.round(answered.average / steps).toLocaleString('en-US')} a second`;
};
