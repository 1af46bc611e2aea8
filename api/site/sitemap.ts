import { families } from '#domain/product/families.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { cursorFrom } from '#projections/catalogue/indexed-product.ts';
import { jsonArray, decodeJson } from '#projections/reading/encoded-json.ts';

import { escapeHtml } from '../platform/escape-html.ts';
import { LARGEST_PAGE } from '../catalogue/listing-input.ts';
import { stillPaths } from './page.ts';

/** The most entries that a sitemap may have (https://www.sitemaps.org/protocol.html). */
const MOST = 50_000;

const productPaths = (catalogue: Pick<Listing, 'page'>, most: number): string[] => {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? undefined : cursorFrom('newest', cursor);
    const { products: page, next } = catalogue.page({ filter: {}, sort: 'newest', limit: LARGEST_PAGE, after });
    const products: ProductView[] = JSON.parse(decodeJson(jsonArray(page)));
    paths.push(...products.map(({ _id }) => `/product/${encodeURIComponent(_id)}`));
    cursor = next;
  } while (cursor !== undefined && paths.length < most);
  return paths.slice(0, most);
};

/** Every page that search engines may list: all with fixed content, each family, and the newest products. */
export const sitemap = (catalogue: Pick<Listing, 'page'>, url: string): string => {
  const listings = ['/shop', ...Object.values(families).map(({ name }) => `/shop?collection=${name}`)];
  const fixed = ['/', ...listings, ...stillPaths];
  const paths = [...fixed, ...productPaths(catalogue, MOST - fixed.length)];
  const entries = paths.map((path) => `<url><loc>${escapeHtml(url + path)}</loc></url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`;
};

/** Crawlers are excluded from calls and from pages of a single shopper. */
export const robots = (url: string): string =>
  [
    'User-agent: *',
    ...['/api/', '/admin/', '/audit', '/dev/'].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${url}/sitemap.xml`,
    '',
  ].join('\n');
