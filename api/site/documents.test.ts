import escapeHtml from 'escape-html';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { BESTSELLERS, FEATURED, firstPageCall, callKey, pages, productCall, relatedCall } from '#domain/site/pages.ts';

import { product } from '#domain/product/product.ts';
import { toView } from '#domain/product/view.ts';
import { paise, ZERO } from '#domain/shared/money.ts';
import { daysLater } from '#domain/shared/time.ts';
import { details, openingDay, revise, ruhGulab } from '#domain/testing/products.ts';

import { seedCatalogue } from '../catalogue/seed/seed-catalogue.ts';
import { openTestShop } from '../testing/test-shop.ts';
import { dataElement } from './preloaded-answers.ts';
import { Documents } from './documents.ts';
import type { Render } from './server-rendering.ts';
import { readShell } from './shell.ts';
import { productData } from './structured-data.ts';

const SHELL = '<!doctype html><head><!--page--><title>RUHANI</title><!--/page--></head><body><div id="root"></div></body>';
/** This renderer returns its input, and fails for one page. */
const RENDERER = `export const renderScreen = async (address, answers, hero) => {
  if (address === '/about') throw new Error('cannot be rendered');
  return '<main>' + address + ' of ' + Object.keys(answers).length + (hero ?? '') + '</main>';
};`;
const scriptAt = (path: string) => `<link rel="modulepreload" href="${path}">`;
const HEADS = {
  every: { first: '', scripts: scriptAt('/assets/main.js') },
  home: { first: '<link rel="preload" href="/hero.avif">', scripts: scriptAt('/assets/HomePage.js') },
  'home-center': { first: '<link rel="preload" href="/center.avif">', scripts: scriptAt('/assets/HomePage.js') },
  calls: { first: '', scripts: scriptAt('/assets/calls.js') },
};

const web = await mkdtemp(path.join(tmpdir(), 'ruhani-pages-'));
await mkdir(path.join(web, '.vite'));
await writeFile(path.join(web, '.vite/index.html'), SHELL);
await writeFile(path.join(web, '.vite/page-heads.json'), JSON.stringify(HEADS));
await mkdir(path.join(web, '.vite/renderer'));
await writeFile(path.join(web, '.vite/renderer/package.json'), '{"type":"module"}');
await writeFile(path.join(web, '.vite/renderer/render.js'), RENDERER);
const shell = (await readShell(web)) ?? expect.fail('It was written above');
const shop = await openTestShop({ webDirectory: web, publicUrl: 'https://ruhani.example', projecting: true });
await seedCatalogue({ execute: shop.execute, streams: shop.store, now: shop.now });
await shop.catalogue.waitFor(await shop.store.head(['product']), 60_000);
afterAll(async () => {
  await shop.close();
  await rm(web, { recursive: true, force: true });
});

const read = async (address: string): Promise<string> => (await fetch(shop.url + address)).text();
const dataIn = (html: string, type: string): unknown[] =>
  [...html.matchAll(new RegExp(`<script type="${type}"[^>]*>(.*?)</script>`, 'g'))].map(([, json]) => JSON.parse(json ?? ''));
const answersIn = (html: string) => dataIn(html, 'application/json')[0] as Record<string, { data: unknown; meta: unknown; error: unknown }>;

describe('a page from the server', () => {
  test('has title, description and picture for search results and previews', async () => {
    const html = await read('/product/ruh-gulab');
    expect(html).toContain('<title>Ruh Gulab · RUHANI</title>');
    expect(html).not.toContain('<title>RUHANI</title>');
    expect(html).toContain('<link rel="canonical" href="https://ruhani.example/product/ruh-gulab">');
    expect(html).toMatch(/<meta property="og:image" content="https:\/\/ruhani\.example\/pictures\/products\/ruh-gulab\.webp">/);
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}">/);
  });

  test('has product data with prices for search engines', async () => {
    const [product, crumbs] = dataIn(await read('/product/ruh-gulab'), 'application/ld\\+json');
    expect(product).toMatchObject({
      '@type': 'Product',
      name: 'Ruh Gulab',
      offers: { '@type': 'Offer', priceCurrency: 'INR', price: '4750.00', availability: 'https://schema.org/InStock' },
    });
    expect(crumbs).toMatchObject({ '@type': 'BreadcrumbList' });
    expect((crumbs as { itemListElement: { name: string }[] }).itemListElement.map(({ name }) => name)).toEqual([
      'Home',
      'Shop',
      'Attar',
      'Ruh Gulab',
    ]);
    expect(dataIn(await read('/'), 'application/ld\\+json')).toMatchObject([{ '@type': 'Organization' }]);
  });

  test('tells search engines neither of a picture nor of a description that the product does not have', () => {
    const bare = details({ details: '', description: '', productImageUrl: [] });
    const data = productData(
      'https://ruhani.example',
      '/p',
      toView(ruhGulab, { details: bare, price: ZERO, inStock: true, revision: 0, addedAt: openingDay }),
    );
    expect(Object.keys(JSON.parse(JSON.stringify(data)))).toEqual([
      '@context',
      '@type',
      'name',
      'sku',
      'category',
      'brand',
      'aggregateRating',
    ]);
  });

  test('preloads its picture before any script has run', async () => {
    expect(await read('/product/ruh-gulab')).toMatch(/<link rel="preload" as="image" [^>]*imagesrcset="[^"]*ruh-gulab-800\.avif 800w/);
    expect(await read('/')).toContain(HEADS.home.first);
  });

  test('loads its scripts after the first paint if it is rendered on the server, and otherwise immediately', async () => {
    const { every, home } = HEADS;
    expect(await read('/')).toContain(`<template id="scripts">${every.scripts}${home.scripts}</template></body>`);
    const signIn = await read('/signin');
    expect(signIn).not.toContain('<template');
    expect(signIn.slice(0, signIn.indexOf('<body>'))).toContain(every.scripts + HEADS.calls.scripts);
  });

  test('is rendered from the answers to its first calls, if it is the same for everybody', async () => {
    expect(await read('/')).toContain('<div id="root"><main>/ of 2</main></div>');
    expect(await read('/shop?collection=oud')).toContain('<div id="root"><main>/shop?collection=Oud of 1</main></div>');
    expect(await read('/product/ruh-gulab')).toContain('<div id="root"><main>/product/ruh-gulab of 2</main></div>');
    expect(await read('/terms')).toContain('<div id="root"><main>/terms of 0</main></div>');
    for (const path of ['/signin', '/shop?sort=price', '/product/leather', '/nowhere'])
      expect(await read(path)).toContain('<div id="root"></div>');
  });

  test.each(['/cart', '/checkout'])('at %s is rendered only for a browser without a session, which makes no call', async (path) => {
    const asKnown = (cookie: string) => fetch(shop.url + path, { headers: { cookie } });
    const own = await read(path);
    expect(own).toContain(`<div id="root"><main>${path} of`);
    expect(own).not.toContain(HEADS.calls.scripts);
    for (const cookie of ['visitor=1', 'device=a; signed_in=1']) {
      const answer = await asKnown(cookie);
      expect(answer.headers.get('vary')).toContain('Cookie');
      const known = await answer.text();
      expect(known).toContain('<div id="root"></div>');
      expect(known).toContain(HEADS.calls.scripts);
    }
    expect(await (await asKnown('visitor=0')).text()).toContain(`<div id="root"><main>${path} of`);
  });

  test('is left to the browser if it fails to render', async () => {
    const answer = await fetch(`${shop.url}/about`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<div id="root"></div>');
  });

  test('contains the answers to its first calls, exactly as the calls would answer', async () => {
    const home = answersIn(await read('/'));
    expect(Object.keys(home)).toEqual([callKey(FEATURED), callKey(BESTSELLERS)]);
    expect(home[callKey(FEATURED)]?.data).toEqual(await (await fetch(`${shop.url}/api/product?isFeatured=true&limit=3`)).json());

    const called = await fetch(`${shop.url}/api/product?sort=featured&limit=20`);
    const listing = answersIn(await read('/shop'))[callKey(firstPageCall())];
    expect(listing?.data).toEqual(await called.json());
    expect(listing?.meta).toEqual({ totalCount: 30, link: called.headers.get('link') });

    const product = answersIn(await read('/product/ruh-gulab'));
    expect(Object.keys(product)).toEqual([callKey(productCall('ruh-gulab')), callKey(relatedCall('attar'))]);
  });

  test.each(['/shop?collection=Attar', '/shop?collection=atar', '/shop?collection=attar'])(
    'at %s is the same page of the family',
    async (address) => {
      const html = await read(address);
      expect(html).toContain('<title>Attar · RUHANI</title>');
      expect(html).toContain('<link rel="canonical" href="https://ruhani.example/shop?collection=Attar">');
      expect(answersIn(html)[callKey(firstPageCall('attar'))]?.meta).toMatchObject({ totalCount: 6 });
    },
  );

  test('for a narrower query leaves it to the browser, and loads the script for it', async () => {
    const html = await read('/shop?collection=attar&maxPrice=100');
    expect(answersIn(html)).toBeUndefined();
    expect(html).toContain(HEADS.calls.scripts);
  });

  test('for an unknown product is a 404, and the browser need not ask for it', async () => {
    const answer = await fetch(`${shop.url}/product/none`);
    expect(answer.status).toBe(404);
    expect(answersIn(await answer.text())['/product/none']).toEqual({ error: { status: 404, message: 'Product not found' } });
  });

  test('has a title of its own', async () => {
    const titles = await Promise.all(
      Object.values(pages).map(async (path) => /<title>(.*?)<\/title>/.exec(await read(path.replace(/:\w+/, 'ruh-gulab')))?.[1]),
    );
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).not.toContain('RUHANI');
  });

  test('that a mailed link opens is kept by no cache, names itself to no other address, and is the same for every token', async () => {
    const answers = await Promise.all(['abc', 'def'].map((token) => fetch(`${shop.url}/order/${token}`)));
    for (const { status, headers } of answers) {
      expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([200, 'no-store', 'no-referrer']);
    }
    const [one, two] = await Promise.all(answers.map((answer) => answer.text()));
    expect(one).toContain('<meta name="robots" content="noindex">');
    expect(two).toBe(one);
  });

  test('of a single shopper is not indexed by search engines', async () => {
    const html = await read('/signin');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('canonical');
  });
});

test('a page has the configured hero, its picture is fetched early, and every document names it for the browser', async () => {
  const named = '<meta name="hero" content="center">';
  expect(await read('/')).not.toContain('<meta name="hero"');
  const { url, close } = await openTestShop({ webDirectory: web, hero: 'center', projecting: true });
  const [home, about] = await Promise.all(['/', '/about'].map(async (address) => (await fetch(url + address)).text()));
  await close();
  expect(home).toContain(named);
  expect(home).toContain('<main>/ of 2center</main>');
  expect(home).toContain('/center.avif');
  expect(home).not.toContain('/hero.avif');
  expect(about).toContain(named);
});

test('every document tells the browser if the shop has no payment gateway', async () => {
  const said = '<meta name="prepaid" content="unavailable">';
  expect(await read('/')).not.toContain('<meta name="prepaid"');
  const { url, close } = await openTestShop({ webDirectory: web, payments: { isProduction: true }, projecting: true });
  const found = await Promise.all(['/', '/checkout', '/review-order/1'].map(async (address) => (await fetch(url + address)).text()));
  await close();
  for (const document of found) expect(document).toContain(said);
});

test.each([
  ['/Shop?collection=Oud', '/shop?collection=Oud'],
  ['/PRODUCT/Some-Id/', '/product/Some-Id'],
  ['/viewallorders', '/viewAllOrders'],
])('%s redirects to %s', async (address, there) => {
  const { status, headers } = await fetch(shop.url + address, { redirect: 'manual' });
  expect(status).toBe(308);
  expect(headers.get('location')).toBe(there);
});

describe('for search engines', () => {
  test('there is a sitemap of every public page', async () => {
    const answer = await fetch(`${shop.url}/sitemap.xml`);
    expect(answer.headers.get('content-type')).toContain('xml');
    const addresses = [...(await answer.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toContain('https://ruhani.example/product/ruh-gulab');
    expect(addresses).toContain('https://ruhani.example/shop?collection=Attar');
    expect(addresses.filter((address) => address?.includes('/product/'))).toHaveLength(30);
    expect(addresses.join()).not.toMatch(/signin|cart|admin/);
  });

  test('robots.txt names the sitemap, and excludes calls', async () => {
    const text = await read('/robots.txt');
    expect(text).toContain('Sitemap: https://ruhani.example/sitemap.xml');
    expect(text).toContain('Disallow: /api/');
  });
});

test('all unknown addresses share one cache entry', async () => {
  const documents = new Documents({ ...shop, shell, url: 'https://ruhani.example', renderScreen: () => Promise.resolve('') });
  const look = (address: string) => documents.at(address, new URLSearchParams(), true);
  expect(await look('/nowhere')).toBe(await look('/elsewhere'));
  expect(await look('/about')).not.toBe(await look('/nowhere'));
});

test('a page is rendered once, and again only after it was evicted', async () => {
  const rendered: string[] = [];
  const renderScreen: Render = (address) => {
    rendered.push(address);
    return Promise.resolve('rose '.repeat(2 ** 20));
  };
  const documents = new Documents({ ...shop, shell, url: 'https://ruhani.example', renderScreen });
  const look = (address: string) => documents.at(address, new URLSearchParams(), true);
  for (const address of ['/about', '/contact', '/reviews', '/terms', '/terms']) await look(address);
  expect(rendered).toEqual(['/about', '/contact', '/reviews', '/terms']);
  await look('/about');
  expect(rendered.slice(4)).toEqual(['/about']);
});

test('a page that shows a reduction is rendered again when the reduction has ended', async () => {
  const reducedAt = shop.now();
  const metadata = { commandId: 'c', correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } } as const;
  const reduce = revise({ price: paise(4_500_00), now: reducedAt });
  const { position } = await shop.execute(product, 'product-ruh-gulab', reduce, metadata);
  expect(position && (await shop.catalogue.waitFor(position, 60_000))).toBe('fresh');

  let now = reducedAt;
  const documents = new Documents({
    ...shop,
    shell,
    url: 'https://ruhani.example',
    renderScreen: () => Promise.resolve(''),
    now: () => now,
  });
  const page = ['/product/ruh-gulab', new URLSearchParams()] as const;
  const look = async () => String((await documents.at(...page, true)).content.as('identity'));
  expect(answersIn(await look())[callKey(productCall('ruh-gulab'))]?.data).toMatchObject({
    price: '₹4,500.00',
    reduction: { lowestPrice: '₹4,750.00', reducedAt },
  });
  now = daysLater(reducedAt, 30);
  expect(await look()).not.toContain('4,750.00');
});

describe('the text of a product', () => {
  test('cannot end its script element', () => {
    expect(escapeHtml(`"><script>alert('&')</script>`)).toBe('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;');
    const element = dataElement('application/json', JSON.stringify({ name: '</script><!--' }), 'first-answers');
    expect(element.match(/<\/script>/g)).toHaveLength(1);
    expect(JSON.parse(element.replace(/^<script[^>]*>|<\/script>$/g, ''))).toEqual({ name: '</script><!--' });
  });
});
