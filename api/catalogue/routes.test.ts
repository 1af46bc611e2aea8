import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';

import type { LogPosition, StreamName } from '#domain/event-store.ts';
import { product, type ProductCommand } from '#domain/product/product.ts';
import type { ProductView } from '#domain/product/view.ts';
import { paise, parsePrice } from '#domain/shared/money.ts';
import { daysLater } from '#domain/shared/time.ts';
import { add, remove, revise } from '#domain/testing/products.ts';

import { openingCatalogue } from './seed/opening-products.ts';
import { seedCatalogue } from './seed/seed-catalogue.ts';
import { openShopForFile, openShopForTest } from '../testing/test-shop.ts';

const shop = await openShopForFile({ projecting: true });
await seedCatalogue({ execute: shop.execute, streams: shop.store, now: shop.now });
beforeEach(async () => {
  expect(await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000)).toBe('fresh');
});

const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

/** Executes a command as the API would; returns the position cookie that it would set. */
const command = async (stream: StreamName, command: ProductCommand): Promise<{ cookie: string; position: LogPosition }> => {
  const { position } = await shop.execute(product, stream, command, byAdmin());
  if (position === undefined) throw new Error('The command changed nothing');
  return { cookie: `pos=product.${position}`, position };
};

const ask = (path: string, init?: RequestInit) => fetch(`${shop.url}/api${path}`, init);
/** Requests again while the read model is behind, as happens on a busy machine. */
const askFresh = async (path: string, init: RequestInit): Promise<Response> => {
  let answer = await ask(path, init);
  while (answer.headers.has('x-stale')) answer = await ask(path, init);
  return answer;
};

const list = async (query = '') => {
  const answer = await ask(`/product${query}`);
  expect(answer.status, query).toBe(200);
  const products: ProductView[] = JSON.parse(await answer.text());
  return { products, names: products.map(({ name }) => name), headers: answer.headers, total: Number(answer.headers.get('x-total-count')) };
};

const nextOf = ({ headers }: { headers: Headers }): string | undefined =>
  /^<\/api\/product(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

describe('the listing', () => {
  test('has every perfume of the opening catalogue, as the seed defines it', async () => {
    const { products, total, headers } = await list();
    expect(total).toBe(30);
    expect(nextOf({ headers })).toBeUndefined();
    for (const { slug, bottles: _, ...told } of openingCatalogue) {
      expect(products.find(({ _id }) => _id === slug)).toEqual({
        _id: slug,
        ...told,
        hsn: told.category === 'attar' ? '3301' : '3303',
        revision: 0,
      });
    }
  });

  test('is JSON that caches may store but must revalidate', async () => {
    const { headers } = await list();
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('begins with featured products, then bestsellers', async () => {
    const { products } = await list();
    const ranks = products.map(({ isFeatured, bestsellers }) => Number(!isFeatured) * 2 + Number(!bestsellers));
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
  });

  test.each([
    ['?isFeatured=true', ({ isFeatured }: ProductView) => isFeatured],
    ['?bestsellers=true', ({ bestsellers }: ProductView) => bestsellers],
    ['?isTrending=true', ({ isTrending }: ProductView) => isTrending],
    ['?isTrending=false', ({ isTrending }: ProductView) => !isTrending],
    ['?inStock=false', ({ inStock }: ProductView) => !inStock],
    ['?pictured=true', ({ productImageUrl }: ProductView) => productImageUrl.length > 0],
    ['?category=oud', ({ category }: ProductView) => category === 'oud'],
    ['?category=Musk,ATAR', ({ category }: ProductView) => category === 'musk' || category === 'attar'],
    ['?category=', () => true],
    ['?minPrice=1000&maxPrice=2000', ({ price }: ProductView) => parsePrice(price) >= 1_000_00 && parsePrice(price) <= 2_000_00],
    ['?minPrice=3450&maxPrice=3450.00', ({ price }: ProductView) => price === '₹3,450.00'],
    ['?maxPrice=999999999999', () => true],
    ['?minPrice=999999999999', () => false],
    ['?minPrice=2000&maxPrice=1000', () => false],
    ['?q=OUD', ({ name }: ProductView) => /oud/i.test(name)],
    ['?q=%20musk%20', ({ name }: ProductView) => /musk/i.test(name)],
    ['?q=', () => true],
    ['?q=rose&category=musk', ({ name, category }: ProductView) => /rose/i.test(name) && category === 'musk'],
    ['?unknown=1', () => true],
  ])('filters by %s', async (query, isAsked) => {
    const { products, total } = await list(query);
    const { products: all } = await list();
    expect(new Set(products.map(({ _id }) => _id))).toEqual(new Set(all.filter(isAsked).map(({ _id }) => _id)));
    expect(total).toBe(products.length);
  });

  test.each([
    ['price', (one: ProductView, other: ProductView) => parsePrice(one.price) - parsePrice(other.price)],
    ['-price', (one: ProductView, other: ProductView) => parsePrice(other.price) - parsePrice(one.price)],
    ['-rating', (one: ProductView, other: ProductView) => other.ratingStar - one.ratingStar],
    ['name', (one: ProductView, other: ProductView) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1)],
  ])('can be sorted by %s', async (sort, order) => {
    const { products } = await list(`?sort=${sort}`);
    expect(products).toEqual(products.toSorted(order));
  });

  test.each(['featured', 'price', '-price', '-rating', 'newest', 'name'])(
    'has every product once, page by page, when sorted by %s',
    async (sort) => {
      const { names: whole } = await list(`?sort=${sort}`);
      const parts: string[] = [];
      for (let query: string | undefined = `?sort=${sort}&limit=7`; query;) {
        const part = await list(query);
        expect(part.total).toBe(30);
        parts.push(...part.names);
        query = nextOf(part);
      }
      expect(parts).toEqual(whole);
    },
  );

  test('returns the largest page for a larger limit', async () => expect((await list('?limit=5000')).products).toHaveLength(30));

  test.each([
    ['sandlewood', 'Sandal Musk Silk'],
    ['ittar', 'Ruh Gulab'],
  ])('finds for the search %s the perfume %s', async (q, name) => expect((await list(`?q=${q}`)).names).toContain(name));

  test.each([
    ['isFeatured=1', 'isFeatured'],
    ["category=Oud');DROP%20TABLE%20shop.users", 'category'],
    ['category=oud&category=musk', 'category'],
    ['minPrice=0%20OR%201=1', 'minPrice'],
    ['minPrice=-1', 'minPrice'],
    ['minPrice=NaN', 'minPrice'],
    ['minPrice=', 'minPrice'],
    ['maxPrice=1e9', 'maxPrice'],
    ['maxPrice=9.999', 'maxPrice'],
    ['sort=price;--', 'sort'],
    ['limit=0', 'limit'],
    ['limit=-5', 'limit'],
    ['limit=many', 'limit'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['cursor=x', 'cursor'],
    [`cursor=${'x'.repeat(2_000)}`, 'cursor'],
  ])('refuses %s', async (query, field) => {
    const answer = await ask(`/product?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request', errors: { [field]: expect.any(String) } });
  });

  test('refuses a cursor of another order', async () => {
    const next = nextOf(await list('?limit=5&sort=name')) ?? '';
    expect((await ask(`/product${next.replace('sort=name', 'sort=price')}`)).status).toBe(400);
  });
});

describe('a product', () => {
  test('has all its fields', async () => {
    const answer = await ask('/product/ruh-gulab');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.json()).toMatchObject({ _id: 'ruh-gulab', name: 'Ruh Gulab', category: 'attar', revision: 0 });
  });

  test.each(['no-such-perfume', '__proto__', '%00', "' OR 1=1", 'x'.repeat(500)])('is not found by the id %s', async (id) => {
    const answer = await ask(`/product/${encodeURIComponent(id)}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'Product not found', code: 'product_not_found' });
  });
});

describe('a product whose price was reduced', () => {
  const reducedFor = async (stream: StreamName, days: number): Promise<string> => {
    const reducedAt = daysLater(shop.now(), -days);
    await command(stream, revise({ price: paise(3_200_00), now: daysLater(reducedAt, -40) }));
    await command(stream, revise({ price: paise(3_000_00), now: daysLater(reducedAt, -31) }));
    await command(stream, revise({ price: paise(3_300_00), now: daysLater(reducedAt, -9) }));
    const { cookie } = await command(stream, revise({ price: paise(2_800_00), now: reducedAt }));
    return cookie;
  };

  test('shows the lowest price of the 30 days before, on its page only', async () => {
    const headers = { Cookie: await reducedFor('product-mogra-at-dusk', 29) };
    const answer = await ask('/product/mogra-at-dusk', { headers });
    const reduction = { lowestPrice: '₹3,000.00', reducedAt: expect.stringMatching(/Z$/) };
    expect(await answer.json()).toMatchObject({ price: '₹2,800.00', reduction });
    const { products } = await list();
    expect(products.find(({ _id }) => _id === 'mogra-at-dusk')).not.toHaveProperty('reduction');
  });
});

describe.each(['/product?category=fresh', '/product/mogra-at-dusk'])('%s', (path) => {
  test('is not sent again to a client that has it', async () => {
    const etag = (await ask(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await ask(path, { headers: { 'If-None-Match': `"other", ${etag}` } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect(await again.text()).toBe('');
    expect((await ask(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('answers HEAD with its headers only', async () => {
    const [head, whole] = [await ask(path, { method: 'HEAD' }), await ask(path)];
    expect(head.status).toBe(200);
    for (const name of ['etag', 'content-length', 'content-type', 'x-total-count'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    expect(await head.text()).toBe('');
  });
});

describe('an admin who changed a product', () => {
  test('sees the change immediately, in the listing and on the product page, with another ETag', async () => {
    const before = (await ask('/product/kamal-pool')).headers.get('etag');
    const listed = (await list('?category=floral')).headers.get('etag');
    const { cookie } = await command('product-kamal-pool', revise({ price: paise(4_999_00), inStock: false }));

    const answer = await askFresh('/product/kamal-pool', { headers: { Cookie: cookie } });
    expect(answer.headers.get('etag')).not.toBe(before);
    expect(await answer.json()).toMatchObject({ price: '₹4,999.00', inStock: false, revision: 2 });

    const listing = await askFresh('/product?category=floral', { headers: { Cookie: cookie } });
    expect(listing.headers.get('etag')).not.toBe(listed);
    expect(await listing.json()).toContainEqual(expect.objectContaining({ _id: 'kamal-pool', price: '₹4,999.00' }));
  });

  test('no longer finds a removed product', async () => {
    const { cookie } = await command('product-konkan-lime', remove());
    const headers = { Cookie: cookie };
    expect((await askFresh('/product/konkan-lime', { headers })).status).toBe(404);
    expect((await askFresh('/product', { headers })).headers.get('x-total-count')).toBe('29');
  });
});

test('a shop whose read model is behind marks its answers as stale', async () => {
  const behind = await openShopForTest();
  const { position } = await behind.execute(product, 'product-rose', add(), byAdmin());
  const answer = await fetch(`${behind.url}/api/product`, { headers: { Cookie: `pos=product.${position}` } });
  expect([answer.status, answer.headers.get('x-stale'), await answer.json()]).toEqual([200, 'true', []]);
});
