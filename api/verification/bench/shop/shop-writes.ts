import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { z } from 'zod';

import { openingCatalogue } from '../../../catalogue/seed/opening-products.ts';
import { newTestId } from '../../../payments/gateway/test-gateway-rows.ts';
import { signatureOf } from '../../../payments/gateway/webhook.ts';
import type { Resources } from '../../../platform/resources.ts';
import { atRest } from './at-rest.ts';
import { insertInto, median, openBareTable, callsPerSecond } from '../measuring/bare-inserts.ts';
import { answersPerSecond } from '../measuring/load.ts';
import { inRounds } from '../measuring/compare-with-limit.ts';
import { journeysPerSecond, type Step } from './shop-journeys.ts';
import { startShop } from './shop-server.ts';
import { signInAsAdmin } from './stocked-shop.ts';

/** Per second from 16 connections, medians of rounds that take turns. */
export type ShopBench = {
  /** Commits of a single-row INSERT on the shop's Postgres. */
  readonly bareInserts: number;
  /** Of new visitors, one perfume each. */
  readonly firstAdds: number;
  /** Ten by each visitor. */
  readonly adds: number;
  /** Add, create, place; a new visitor each. */
  readonly orders: number;
  /** Add, create, place in advance, ask for the gateway's page, pay there, with its webhooks, and confirm; a new visitor each. */
  readonly paidOrders: number;
  /** Signed, of money for no order: each is an event of a stream of its own. */
  readonly webhooks: number;
  /** Relative to the bare inserts: carts should reach 0.2, orders 0.04. */
  readonly ratios: { readonly firstAdds: number; readonly adds: number; readonly orders: number; readonly paidOrders: number };
};

const CONNECTIONS = 16;
const ROUNDS = 3;
const SECONDS = 2;
const ADDS = 10;

const Created = z.object({ order: z.object({ _id: z.string() }) });
const Page = z.object({ url: z.url() });
const Products = z.array(z.object({ _id: z.string(), inStock: z.boolean() }));

const SHIPPING = {
  name: 'Meera Nair',
  address1: '14 Rose Lane',
  address2: 'Fort Kochi',
  city: 'Kochi',
  state: 'Kerala',
  postalCode: '682001',
  country: 'India',
  phone: '9876543210',
};
/** Each visitor has a different e-mail address. */
export const shipping = () => ({ ...SHIPPING, email: `${crypto.randomUUID()}@example.com` });

/** `isKeyed`: each change has an `Idempotency-Key`. */
export const stepsFor = (products: readonly string[], isKeyed = false) => {
  const one = (): string => products[Math.floor(Math.random() * products.length)] ?? '';
  const add = (counts: boolean): Step => ({
    method: 'POST',
    path: () => '/api/cart/add-to-cart',
    body: () => ({ _id: one() }),
    expected: 200,
    counts,
    isKeyed,
  });
  const create: Step = {
    method: 'POST',
    path: () => '/api/order/create-order',
    body: () => ({ shipping: shipping(), giftWrap: true, giftMessage: 'With love' }),
    expected: 201,
    counts: false,
    isKeyed,
    learn: (visit, answer) => (visit.order = Created.parse(answer).order._id),
  };
  const place: Step = {
    method: 'PUT',
    path: ({ order }) => `/api/order/place-order/${order}`,
    body: () => ({ method: 'COD' }),
    expected: 200,
    counts: true,
    isKeyed,
  };
  return { firstAdds: [add(true)], adds: Array.from({ length: ADDS }, () => add(true)), orders: [add(false), create, place] as const };
};

/** The embedded gateway answers when the shop has taken its webhooks. `staff`: cookies. */
const paidOrderSteps = (products: readonly string[], staff: string): readonly Step[] => {
  const [add, create, place] = stepsFor(products).orders;
  const post = { method: 'POST', body: () => ({}), expected: 200, counts: false } as const;
  return [
    add,
    create,
    { ...place, body: () => ({ method: 'Prepaid' }), counts: false },
    {
      ...post,
      path: ({ order }) => `/api/order/pay/${order}`,
      learn: (visit, answer) => (visit.page = new URL(Page.parse(answer).url).pathname),
    },
    { ...post, path: ({ page }) => `${page}/pay` },
    {
      method: 'PUT',
      path: ({ order }) => `/api/admin/order/${order}/status`,
      body: () => ({ status: 'confirmed' }),
      expected: 200,
      counts: true,
      by: staff,
    },
  ];
};

const COUNTED = new Set(openingCatalogue.flatMap(({ slug, bottles }) => (bottles === undefined ? [] : [slug])));

/** Without those whose bottles are counted: they would be sold out. */
export const productsOf = async (url: string): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/api/product`);
  return Products.parse(await answer.json())
    .filter(({ _id, inStock }) => inStock && !COUNTED.has(_id))
    .map(({ _id }) => _id);
};

type Variant = 'bareInserts' | 'firstAdds' | 'adds' | 'orders' | 'paidOrders';

const webhookOf = (secret: string): Buffer => {
  const payment = { id: newTestId('pay'), amount: 1_00, currency: 'INR', method: 'upi', created_at: 1_780_000_000, notes: [] };
  const body = Buffer.from(JSON.stringify({ event: 'payment.captured', payload: { payment: { entity: payment } } }));
  const head = `POST /api/payment/webhook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const signed = `X-Razorpay-Signature: ${signatureOf(body, secret)}\r\nX-Razorpay-Event-Id: ${newTestId('event')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head + signed), body]);
};

type Measured = { readonly url: string; readonly staff: string; readonly secret: string; readonly pool: pg.Pool };

const measure = async ({ url, staff, secret, pool }: Measured): Promise<ShopBench> => {
  const products = await productsOf(url);
  const [steps, paidOrder] = [stepsFor(products), paidOrderSteps(products, staff)];
  const load = { url, connections: CONNECTIONS, seconds: SECONDS };
  const rounds = await inRounds(ROUNDS, async (): Promise<Record<Variant, number>> => {
    await atRest(pool);
    return {
      bareInserts: await callsPerSecond(CONNECTIONS, SECONDS * 1_000, insertInto(pool)),
      firstAdds: await journeysPerSecond(load, steps.firstAdds),
      adds: await journeysPerSecond(load, steps.adds),
      orders: await journeysPerSecond(load, steps.orders),
      paidOrders: await journeysPerSecond(load, paidOrder),
    };
  });
  const signed = Array.from({ length: CONNECTIONS }, () => () => webhookOf(secret));
  const webhooks = await inRounds(ROUNDS, () => answersPerSecond({ url, asking: signed, seconds: SECONDS }));
  const rate = (variant: Variant): number => Math.round(median(rounds.map((round) => round[variant])));
  const ratio = (variant: Variant): number => median(rounds.map((round) => round[variant] / round.bareInserts));
  return {
    bareInserts: rate('bareInserts'),
    firstAdds: rate('firstAdds'),
    adds: rate('adds'),
    orders: rate('orders'),
    paidOrders: rate('paidOrders'),
    webhooks: Math.round(median(webhooks)),
    ratios: { firstAdds: ratio('firstAdds'), adds: ratio('adds'), orders: ratio('orders'), paidOrders: ratio('paidOrders') },
  };
};

const report = ({ bareInserts, ratios, ...rates }: ShopBench): void => {
  const line = (label: string, ...figures: readonly string[]) =>
    console.log(label.padEnd(44) + figures.map((figure) => figure.padStart(14)).join(''));
  const rate = (figure: number) => `${figure.toLocaleString('en-US')}/s`;
  line(`${CONNECTIONS} connections`, 'rate', 'of the limit', 'to reach');
  line('bare single-row INSERT (the limit)', rate(bareInserts));
  line('add to cart, a new visitor each', rate(rates.firstAdds), ratios.firstAdds.toFixed(3), '0.200');
  line(`add to cart, ${ADDS} by each visitor`, rate(rates.adds), ratios.adds.toFixed(3), '0.200');
  line('whole order, a new visitor each', rate(rates.orders), ratios.orders.toFixed(3), '0.040');
  line('paid order, confirmed, a new visitor each', rate(rates.paidOrders), ratios.paidOrders.toFixed(3));
  line('signed webhook, to reach 1,000/s', rate(rates.webhooks));
  console.log('The shop, its Postgres and the load share the cores of this machine.');
};

type Place = { readonly connectionString: string; readonly dataDir: string; readonly opened: Resources };

/** Measures the built shop over HTTP, on the Postgres in `dataDir`; all data are deleted afterwards. */
export const benchShop = async ({ connectionString, dataDir, opened }: Place): Promise<ShopBench> => {
  const { url } = await startShop(dataDir, opened);
  const secret = (await readFile(path.join(dataDir, 'payments-webhook-secret'), 'utf8')).trim();
  const pool = await openBareTable(connectionString, CONNECTIONS, opened);
  const bench = await measure({ url, staff: await signInAsAdmin(url, dataDir), secret, pool });
  report(bench);
  console.log(JSON.stringify(bench));
  return bench;
};
