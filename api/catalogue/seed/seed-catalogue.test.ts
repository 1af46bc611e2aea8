import { describe, expect, test } from 'vitest';

import { START, type EventStore } from '#domain/event-store.ts';
import { product } from '#domain/product/product.ts';
import { productErrors } from '#domain/product/rules.ts';
import { productId } from '#domain/shared/ids.ts';
import { formatRupees, parsePrice } from '#domain/shared/money.ts';
import { stock } from '#domain/stock/stock.ts';
import { openingDay, remove } from '#domain/testing/products.ts';

import { memoryEventStore } from '../../event-store/testing/memory-event-store.ts';
import { createExecute } from '../../command-handler/execute.ts';
import { openingCatalogue } from './opening-products.ts';
import { seedCatalogue } from './seed-catalogue.ts';

const seed = (store: EventStore) => seedCatalogue({ execute: createExecute(store), streams: store, now: () => openingDay });
const eventsOf = (store: EventStore) => store.page(START, 1_000, ['product']);
const countedIn = async (store: EventStore) =>
  (await store.page(START, 1_000, ['stock'])).map(({ stream, type, data }) => ({ stream, type, data }));
const counted = (stream: string) => ({ stream, type: 'StockCounted', data: { quantity: 48, countedAt: openingDay } });
const admin = { commandId: 'remove', correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'a' } } as const;

describe('the opening catalogue', () => {
  test('has thirty perfumes, six of each family', () => {
    expect(openingCatalogue).toHaveLength(30);
    for (const family of ['oud', 'floral', 'fresh', 'musk', 'attar']) {
      expect(openingCatalogue.filter(({ category }) => category === family)).toHaveLength(6);
    }
  });

  test.each(openingCatalogue.map((each) => [each.slug, each] as const))("%s passes the shop's own validation", (slug, each) => {
    expect(productId(slug)).toBe(slug);
    expect(productErrors(each)).toBeUndefined();
    expect(formatRupees(parsePrice(each.price))).toBe(each.price);
    expect(each.productImageUrl.every((picture) => /^\/pictures\/products\/[a-z0-9-]+\.webp$/.test(picture))).toBe(true);
  });
});

describe('the first start', () => {
  test('adds every perfume as an event', async () => {
    const store = memoryEventStore();
    expect(await seed(store)).toBe(30);
    const events = await eventsOf(store);
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 30 }, () => 'ProductAdded'));
    expect(events[0]).toMatchObject({ data: { addedAt: openingDay }, metadata: { actor: { kind: 'system', id: 'seed' } } });
  });

  test('is not repeated by a second start, which reads one stream', async () => {
    const store = memoryEventStore();
    await seed(store);
    const asked: string[] = [];
    const read: EventStore['read'] = (stream, after) => {
      asked.push(stream);
      return store.read(stream, after);
    };
    expect(await seedCatalogue({ execute: createExecute({ ...store, read }), streams: { read }, now: () => openingDay })).toBe(0);
    expect(asked).toEqual(['product-kesar-chandan']);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('is completed by the next start after an interruption', async () => {
    const store = memoryEventStore();
    const broken = { execute: createExecute(store), streams: store, now: () => openingDay, catalogue: openingCatalogue.slice(0, 7) };
    expect(await seedCatalogue(broken)).toBe(7);
    expect(await seed(store)).toBe(23);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('adds every perfume once in two processes that start at the same time', async () => {
    const store = memoryEventStore();
    await Promise.all([seed(store), seed(store)]);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('does not restore a removed perfume', async () => {
    const store = memoryEventStore();
    await seed(store);
    await createExecute(store)(product, 'product-kesar-chandan', remove(), admin);
    expect(await seed(store)).toBe(0);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ stream: 'product-kesar-chandan', type: 'ProductRemoved' });
  });

  test('counts the bottles of the limited editions before they are offered', async () => {
    const store = memoryEventStore();
    await seed(store);
    const limited = openingCatalogue.filter(({ tag }) => tag === 'Limited Edition');
    expect(limited.map(({ slug }) => slug)).toEqual(['assam-oud-noir', 'shamama-darbar']);
    expect(await countedIn(store)).toEqual([counted('stock-assam-oud-noir'), counted('stock-shamama-darbar')]);
    const order = (await store.page(START, 1_000, ['product', 'stock'])).map(({ stream }) => stream);
    for (const { slug } of limited) expect(order.indexOf(`stock-${slug}`)).toBeLessThan(order.indexOf(`product-${slug}`));
  });

  test('that ended between count and perfume is repeated, and counts once', async () => {
    const store = memoryEventStore();
    const append: EventStore['append'] = (stream, ...asked) =>
      stream === 'product-assam-oud-noir' ? Promise.reject(new Error('The process was killed')) : store.append(stream, ...asked);
    const killed = {
      execute: createExecute({ ...store, append }),
      streams: store,
      now: () => openingDay,
      catalogue: openingCatalogue.slice(0, 2),
    };
    await expect(seedCatalogue(killed)).rejects.toThrow('killed');
    expect(await countedIn(store)).toEqual([counted('stock-assam-oud-noir')]);
    expect(await seed(store)).toBe(29);
    expect(await countedIn(store)).toHaveLength(2);
  });

  test('leaves stock unchanged that staff have counted since, or no longer count', async () => {
    const store = memoryEventStore();
    await seedCatalogue({ execute: createExecute(store), streams: store, now: () => openingDay, catalogue: openingCatalogue.slice(0, 7) });
    await createExecute(store)(stock, 'stock-assam-oud-noir', { type: 'EndCounting', now: openingDay }, admin);
    await seed(store);
    expect((await store.read('stock-assam-oud-noir')).events.map(({ type }) => type)).toEqual(['StockCounted', 'StockCountingEnded']);
  });
});
