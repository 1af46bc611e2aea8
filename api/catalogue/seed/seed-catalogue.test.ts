import { describe, expect, test } from 'vitest';

import { START, type EventStore } from '#domain/event-store.ts';
import { product } from '#domain/product/product.ts';
import { productErrors } from '#domain/product/rules.ts';
import { productId } from '#domain/shared/ids.ts';
import { formatRupees, parsePrice } from '#domain/shared/money.ts';
import { openingDay, remove } from '#domain/testing/products.ts';

import { memoryEventStore } from '../../event-store/testing/memory-event-store.ts';
import { executeOn } from '../../command-handler/execute.ts';
import { openingCatalogue } from './opening-products.ts';
import { seedCatalogue } from './seed-catalogue.ts';

const seed = (store: EventStore) => seedCatalogue({ execute: executeOn(store), streams: store, now: () => openingDay });
const eventsOf = (store: EventStore) => store.page(START, 1_000, ['product']);
const admin = { commandId: 'remove', correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'a' } } as const;

describe('the opening catalogue', () => {
  test('is thirty perfumes, six of each family', () => {
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

  test('a second start reads one stream and adds nothing', async () => {
    const store = memoryEventStore();
    await seed(store);
    const asked: string[] = [];
    const read: EventStore['read'] = (stream, after) => {
      asked.push(stream);
      return store.read(stream, after);
    };
    expect(await seedCatalogue({ execute: executeOn({ ...store, read }), streams: { read }, now: () => openingDay })).toBe(0);
    expect(asked).toEqual(['product-kesar-chandan']);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('perfumes that an interrupted start left out are added by the next', async () => {
    const store = memoryEventStore();
    const broken = { execute: executeOn(store), streams: store, now: () => openingDay, catalogue: openingCatalogue.slice(0, 7) };
    expect(await seedCatalogue(broken)).toBe(7);
    expect(await seed(store)).toBe(23);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('two processes that start at once add every perfume once', async () => {
    const store = memoryEventStore();
    await Promise.all([seed(store), seed(store)]);
    expect(await eventsOf(store)).toHaveLength(30);
  });

  test('a perfume that was removed stays removed', async () => {
    const store = memoryEventStore();
    await seed(store);
    await executeOn(store)(product, 'product-kesar-chandan', remove(), admin);
    expect(await seed(store)).toBe(0);
    expect((await eventsOf(store)).at(-1)).toMatchObject({ stream: 'product-kesar-chandan', type: 'ProductRemoved' });
  });
});
