import escapeHtml from 'escape-html';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { pageName, pages, withoutToken } from '#domain/site/pages.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { families } from '#domain/product/families.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { parseCursor } from '#projections/catalogue/indexed-product.ts';
import { decodeJson, jsonArray } from '#projections/reading/encoded-json.ts';

import type { Render } from './server-rendering.ts';
import { cartPage, checkoutPage, homePage, productPage, shopPage } from './catalogue-pages.ts';
import { type Page, staticPage, staticPaths, unknownPage } from './page.ts';
import { render, type Shell } from './shell.ts';
import { LARGEST_LISTING_PAGE } from '../catalogue/listing-input.ts';

/** The protocol limits a sitemap to this many pages (https://www.sitemaps.org/protocol.html). */
const MOST = 50_000;

const productPaths = (catalogue: Pick<Listing, 'page'>, most: number): string[] => {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? undefined : parseCursor('newest', cursor);
    const { products: page, next } = catalogue.page({ filter: {}, sort: 'newest', limit: LARGEST_LISTING_PAGE, after });
    const products: ProductView[] = JSON.parse(decodeJson(jsonArray(page)));
    paths.push(...products.map(({ _id }) => `/product/${encodeURIComponent(_id)}`));
    cursor = next;
  } while (cursor !== undefined && paths.length < most);
  return paths.slice(0, most);
};

/** Lists pages for search engines: those with fixed content, each family, and the newest products. */
const sitemap = (catalogue: Pick<Listing, 'page'>, url: string): string => {
  const listings = ['/shop', ...Object.values(families).map(({ name }) => `/shop?collection=${name}`)];
  const fixed = ['/', ...listings, ...staticPaths];
  const paths = [...fixed, ...productPaths(catalogue, MOST - fixed.length)];
  const entries = paths.map((path) => `<url><loc>${escapeHtml(url + path)}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`;
};

/** Crawlers may not make calls or fetch pages of a single shopper. */
const robots = (url: string): string =>
  [
    'User-agent: *',
    ...['/api/', '/admin/', '/audit', '/dev/'].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${url}/sitemap.xml`,
    '',
  ].join('\n');

type Encoding = 'br' | 'gzip' | 'identity';

/** This quality takes half a millisecond for each page; the highest quality takes thirty and saves one byte in twenty. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const pack: Readonly<Record<Encoding, (text: Buffer) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: QUALITY }),
  gzip: (text) => gzipSync(text),
  identity: (text) => text,
};

/** Keeps a text in each encoding, compressed when first requested. */
export class Packed {
  readonly etag: string;
  /** The text is stored as bytes: the rupee sign would make a string take two bytes for every character. */
  readonly #text: Buffer;
  readonly #bodies = new Map<Encoding, Buffer>();

  constructor(text: string) {
    this.#text = Buffer.from(text);
    this.etag = `W/"${createHash('sha256').update(this.#text).digest('base64url').slice(0, 22)}"`;
  }

  get size(): number {
    return [...this.#bodies.values()].reduce((sum, body) => (body === this.#text ? sum : sum + body.length), this.#text.length);
  }

  as(encoding: Encoding): Buffer {
    const body = this.#bodies.get(encoding) ?? pack[encoding](this.#text);
    this.#bodies.set(encoding, body);
    return body;
  }
}

type Catalogue = Pick<Listing, 'page' | 'get' | 'edition'>;

export type Document = {
  readonly status: 200 | 404;
  readonly type: 'html' | 'xml' | 'txt';
  readonly content: Packed;
  readonly until?: Page['until'];
};

/**
 * `MEMORY` is the size of the cache, `ENTRY` the overhead of each page, in bytes. It fits the most requested pages; requests for other
 * addresses can only evict them.
 */
const MEMORY = 16 * 2 ** 20;
const ENTRY = 1_024;

/** `made` is set when the document is complete. */
type Ready = { readonly document: Promise<Document>; made?: Document };

const weight = (key: string, { made }: Ready): number => ENTRY + 2 * key.length + (made?.content.size ?? 0);

/** Returns whether a page begins with the shopper's own data. */
export const isOwn = (path: string): boolean => path === pages.cart || path === pages.checkout;

/** These documents are generated, although they look like files. */
export const FOR_ROBOTS: ReadonlySet<string> = new Set(['/sitemap.xml', '/robots.txt']);

/** All unknown addresses share one cache entry. */
const NOWHERE = 'nowhere';

const createKey = (path: string, query: URLSearchParams, isNewcomer: boolean): string => {
  if (path === pages.shop) return `${path}?${query}`;
  if (isOwn(path) && !isNewcomer) return `${path} of somebody`;
  return pageName(path) !== undefined || FOR_ROBOTS.has(path) ? withoutToken(path) : NOWHERE;
};

const PRODUCT = /^\/product\/([^/]+)$/;

const parseId = (path: string): string | undefined => {
  try {
    return decodeURIComponent(PRODUCT.exec(path)?.[1] ?? '') || undefined;
  } catch {
    // The address is not valid UTF-8, so it is no product's id.
    return undefined;
  }
};

type DocumentsDeps = {
  readonly shell: Shell;
  readonly catalogue: Catalogue;
  readonly url: string;
  readonly renderScreen: Render;
  readonly now: () => Instant;
};

/** Keeps the shop's documents by address. They are rendered once for each edition of the catalogue, then sent from memory. */
export class Documents {
  readonly #ready = new Map<string, Ready>();
  #edition = -1;

  constructor(readonly deps: DocumentsDeps) {}

  /** `isNewcomer` means that there is no session, so that the cart is empty. */
  at(path: string, query: URLSearchParams, isNewcomer: boolean): Promise<Document> {
    this.#forgetOldEdition();
    const key = createKey(path, query, isNewcomer);
    return this.#lasting(key)?.document ?? this.#keep(key, this.#make(path, query, isNewcomer));
  }

  #forgetOldEdition(): void {
    const { edition } = this.deps.catalogue;
    if (this.#edition !== edition) this.#ready.clear();
    this.#edition = edition;
  }

  #lasting(key: string): Ready | undefined {
    const ready = this.#ready.get(key);
    const until = ready?.made?.until;
    return until !== undefined && this.deps.now() >= until ? undefined : ready;
  }

  async #keep(key: string, document: Promise<Document>): Promise<Document> {
    const ready: Ready = { document };
    this.#ready.set(key, ready);
    ready.made = await document;
    this.#trim();
    return document;
  }

  /** Pages grow with each further encoding, so all sizes are added up again, which is cheap compared with rendering one. */
  #trim(): void {
    let bytes = 0;
    for (const [key, ready] of this.#ready) bytes += weight(key, ready);
    // The first entry is the oldest.
    for (const [key, ready] of this.#ready) {
      if (bytes <= MEMORY) break;
      this.#ready.delete(key);
      bytes -= weight(key, ready);
    }
  }

  async #make(path: string, query: URLSearchParams, isNewcomer: boolean): Promise<Document> {
    const { shell, catalogue, url, renderScreen } = this.deps;
    if (path === '/sitemap.xml') return { status: 200, type: 'xml', content: new Packed(sitemap(catalogue, url)) };
    if (path === '/robots.txt') return { status: 200, type: 'txt', content: new Packed(robots(url)) };
    const page = this.#page(path, query, isNewcomer);
    const screen = page.serverRendered === undefined ? '' : await renderScreen(page.serverRendered, JSON.parse(page.answers ?? '{}'));
    return { status: page.status, type: 'html', content: new Packed(render(shell, page, url, screen)), until: page.until };
  }

  #page(path: string, query: URLSearchParams, isNewcomer: boolean): Page {
    const { catalogue, url, now } = this.deps;
    if (path === pages.home) return homePage(catalogue, url);
    if (path === pages.shop) return shopPage(catalogue, url, query);
    if (path === pages.cart) return cartPage(catalogue, isNewcomer);
    if (path === pages.checkout) return checkoutPage(isNewcomer);
    if (!PRODUCT.test(path)) return staticPage(path);
    const id = parseId(path);
    return id === undefined ? unknownPage : productPage(catalogue, url, id, now);
  }
}
