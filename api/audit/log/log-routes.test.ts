import { describe, expect, test } from 'vitest';

import { START } from '#domain/event-store.ts';
import { payment, paymentStream } from '#domain/payment/payment.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { capture, refund } from '#domain/testing/payments.ts';

import { browser } from '../../accounts/testing/browser.ts';
import { openingCatalogue } from '../../catalogue/seed/opening-products.ts';
import { seedCatalogue } from '../../catalogue/seed/seed-catalogue.ts';
import { bySystem } from '../../orders/order-payment.ts';
import { isLogInPostgres, openShopForFile } from '../../testing/test-shop.ts';

const AUDITOR = { email: 'books@ruhani.example', password: 'reads every single page' };
/** The events are the auditor, thirty perfumes, two of them counted, and a line of a cart. */
const EVENTS = 36;

const shop = await openShopForFile({ people: { auditor: AUDITOR }, projecting: true });
await seedCatalogue({ execute: shop.execute, streams: shop.store, now: shop.now });
expect(await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000)).toBe('fresh');
const { body } = await browser(shop.url).get('/api/product?limit=1');
await browser(shop.url).post('/api/cart/add-to-cart', (body as object[])[0]);
const auditor = browser(shop.url);
expect((await auditor.post('/api/user/login', AUDITOR)).status).toBe(200);

type Page = { events: { position: string; stream: string; type: string; recordedAt: string; metadata: object }[]; next: string | null };
const page = async (query: string): Promise<Page> => (await auditor.get(`/api/audit/events${query}`)).body as Page;

const lines = async (query: string): Promise<Record<string, unknown>[]> => {
  const { body } = await auditor.get(`/api/audit/events${query}`, { headers: { Accept: 'application/x-ndjson' } });
  // The test browser has parsed a single line as JSON.
  if (typeof body !== 'string') return [body as Record<string, unknown>];
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('the log', () => {
  test('is read page by page, each event once and in order', async () => {
    const seen: bigint[] = [];
    for (let from = '0', next: string | null = ''; next !== null; from = next ?? from) {
      const { events, next: following } = await page(`?from=${from}&limit=7`);
      seen.push(...events.map(({ position }) => BigInt(position)));
      next = following;
    }
    expect(seen).toHaveLength(EVENTS);
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => (one < other ? -1 : 1)));
  });

  test('shows for each event what happened, who caused it and when', async () => {
    const { events } = await page('?limit=1&category=product');
    // Perfumes are added concurrently, so any of them may be the first.
    const { name, inStock } = openingCatalogue.find(({ slug }) => events[0]?.stream === `product-${slug}`) ?? expect.fail('no perfume');
    expect(events).toEqual([
      {
        position: expect.stringMatching(/^\d+$/) as unknown,
        stream: expect.stringMatching(/^product-/) as unknown,
        revision: 0,
        type: 'ProductAdded',
        data: expect.objectContaining({ details: expect.objectContaining({ name }) as unknown, inStock }) as unknown,
        metadata: expect.objectContaining({
          actor: { kind: 'system', id: 'seed' },
          hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        }) as unknown,
        recordedAt: expect.stringMatching(/Z$/) as unknown,
      },
    ]);
  });

  test.each(['order', 'payment', 'stock', 'tax', 'invoices', 'credit-notes', 'review', 'message', 'staff'])(
    'can be filtered by the category %s',
    async (category) => {
      const { status, body } = await auditor.get(`/api/audit/events?category=${category}`);
      expect(status).toBe(200);
      const streams = (body as Page).events.map(({ stream }) => stream);
      expect(streams.filter((stream) => !stream.startsWith(category))).toEqual([]);
    },
  );

  test('can be filtered by category', async () => expect((await page('?category=cart')).events).toMatchObject([{ type: 'ItemAdded' }]));

  test.each(['payment-0b8c4f1e-52aa-4d3c-9b1f-6a0d2c7e91f4', 'payment-pay_Q7xZ'])(
    'can be read by the stream of a payment, with or without an order: %s',
    async (stream) => expect(await page(`?stream=${stream}`)).toEqual({ events: [], next: null }),
  );

  test.each([
    ['stock-assam-oud-noir', 'StockCounted'],
    ['tax', 'TaxRateSet'],
  ])('can be read by stream: %s', async (stream, type) =>
    expect((await page(`?stream=${stream}&limit=1`)).events).toMatchObject([{ stream, type }]),
  );

  test('can be sent completely as NDJSON', async () => {
    expect(await lines('')).toHaveLength(EVENTS);
    expect(await lines('?limit=3&category=product')).toHaveLength(3);
    expect((await lines('?limit=3'))[2]).toEqual((await page('?limit=3')).events[2]);
  });

  test('can be sent as stored, for verification', async () => {
    const [line] = await lines('?form=stored&limit=1&category=product');
    expect(Object.keys(line ?? {})).toEqual(['position', 'stream', 'revision', 'eventId', 'type', 'data', 'metadata']);
    expect(line?.['metadata']).toMatch(/,"hash":"[0-9a-f]{64}"\}$/);
  });

  test.runIf(isLogInPostgres)('has the rolling hash of each event when it is sent completely as stored', async () => {
    const { position } = (await shop.store.sealedHead?.()) ?? expect.fail();
    const seals = await shop.store.seals?.(START, position);
    expect((await lines('?form=stored')).map(({ rollingHash }) => rollingHash)).toEqual(seals?.map(({ rollingHash }) => rollingHash));
    expect((await page('?form=stored&limit=1')).events).toMatchObject([{ rollingHash: seals?.[0]?.rollingHash }]);
  });

  test.each(['?from=-1', '?from=1.5', '?from=99999999999999999999', '?limit=0', '?category=user', '?form=raw'])(
    'refuses %s',
    async (query) => expect((await auditor.get(`/api/audit/events${query}`)).status).toBe(400),
  );

  test('shows the personal fields of a payment that is read by its stream', async () => {
    const stream = paymentStream(anOrder);
    await shop.execute(payment, stream, capture(), bySystem('captured'));
    await shop.execute(payment, stream, refund(), bySystem('refunded'));
    const { events } = await page(`?stream=${stream}`);
    expect(events.at(-1)).toMatchObject({ type: 'RefundRequested', data: { reason: 'A broken bottle' } });
  });
});
