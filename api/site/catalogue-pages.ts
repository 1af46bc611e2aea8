import escapeHtml from 'escape-html';
import {
  BESTSELLERS,
  FEATURED,
  categoryFromLink,
  firstPageCall,
  productCall,
  relatedCall,
  type FirstCall,
  pages,
} from '#domain/site/pages.ts';
import { pictureSizes, createSrcSet } from '#domain/site/pictures.ts';
import { families, allPerfumes } from '#domain/product/families.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { shownOnPage } from '#projections/catalogue/indexed-product.ts';
import type { Listing } from '#projections/catalogue/listing.ts';
import { jsonArray, decodeJson } from '#projections/reading/encoded-json.ts';

import { parseListingQuery } from '../catalogue/listing-input.ts';
import { firstAnswers, inUrl, listingEntry, missingEntry, productEntry } from './preloaded-answers.ts';
import { SHOP_DESCRIPTION, type Page } from './page.ts';
import { breadcrumbs, organization, productData } from './structured-data.ts';

type Catalogue = Pick<Listing, 'page' | 'get'>;

/** A phone's first screen shows this many cards. */
const FIRST_CARDS = 2;

const picturePreload = (address: string | undefined, sizes: string): string[] => {
  if (address === undefined) return [];
  const widths = createSrcSet(address, 'avif');
  const what = widths ? `type="image/avif" imagesrcset="${widths}" imagesizes="${sizes}"` : `href="${escapeHtml(address)}"`;
  return [`<link rel="preload" as="image" fetchpriority="high" ${what}>`];
};

export const homePage = (catalogue: Catalogue, url: string): Page => ({
  status: 200,
  name: 'home',
  title: 'Attars and fine perfume from Kannauj · RUHANI',
  description: SHOP_DESCRIPTION,
  canonical: '/',
  data: [organization(url)],
  serverRendered: '/',
  answers: firstAnswers([FEATURED, BESTSELLERS].map((call) => listingEntry(catalogue, call))),
});

/**
 * Shows recommendations below the cart. The empty cart of a browser without a session is rendered on the server; the browser fetches any
 * other.
 */
export const cartPage = (catalogue: Catalogue, isNewcomer: boolean): Page => ({
  status: 200,
  name: 'cart',
  title: 'Your Cart · RUHANI',
  description: SHOP_DESCRIPTION,
  calls: !isNewcomer,
  answers: firstAnswers([listingEntry(catalogue, BESTSELLERS)]),
  ...(isNewcomer && { serverRendered: pages.cart }),
});

export const checkoutPage = (isNewcomer: boolean): Page => ({
  status: 200,
  name: 'checkout',
  title: 'Complete Your Order · RUHANI',
  description: SHOP_DESCRIPTION,
  calls: !isNewcomer,
  ...(isNewcomer && { serverRendered: pages.checkout }),
});

const readFirstPage = (catalogue: Catalogue, call: FirstCall): ProductView[] => {
  const { products } = catalogue.page({ ...parseListingQuery(inUrl(call)), limit: FIRST_CARDS });
  return JSON.parse(decodeJson(jsonArray(products)));
};

/** Shows the whole collection, or the family in the address. Narrower queries get the whole collection's page, without answers in it. */
export const shopPage = (catalogue: Catalogue, url: string, query: URLSearchParams): Page => {
  const family = categoryFromLink(query.get('collection') ?? '');
  const isPlain = [...query.keys()].every((name) => name === 'collection') && (family !== undefined || !query.has('collection'));
  const { name, line } = family ? families[family] : allPerfumes;
  const call = firstPageCall(family);
  const path = family ? `/shop?collection=${families[family].name}` : '/shop';
  const crumbs = [{ name: 'Shop', path: '/shop' }, ...(family ? [{ name, path }] : [])];
  const first = isPlain ? readFirstPage(catalogue, call) : [];
  return {
    status: 200,
    name: 'shop',
    title: `${name} · RUHANI`,
    description: line,
    canonical: path,
    data: [breadcrumbs(url, crumbs)],
    preloads: first.flatMap(({ productImageUrl: [picture] }) => picturePreload(picture, pictureSizes.card)),
    calls: !isPlain,
    ...(isPlain && { answers: firstAnswers([listingEntry(catalogue, call)]), serverRendered: path }),
  };
};

const missingPage = (call: FirstCall): Page => ({
  status: 404,
  name: 'product',
  title: 'Product not found · RUHANI',
  description: SHOP_DESCRIPTION,
  answers: firstAnswers([missingEntry(call)]),
});

/** Shows a product with others of its family at the end. */
export const productPage = (catalogue: Catalogue, url: string, id: string, now: () => Instant): Page => {
  const call = productCall(id);
  const item = catalogue.get(id);
  if (!item) return missingPage(call);
  const shown = shownOnPage(item, now);
  const product: ProductView = JSON.parse(decodeJson(shown.json));
  const { name, category } = product;
  const [image] = product.productImageUrl;
  const path = `/product/${encodeURIComponent(id)}`;
  const family = category === '' ? [] : [{ name: families[category].name, path: `/shop?collection=${families[category].name}` }];
  return {
    status: 200,
    name: 'product',
    title: `${name} · RUHANI`,
    description: product.description || product.details || SHOP_DESCRIPTION,
    canonical: path,
    ...(image !== undefined && { image }),
    data: [productData(url, path, product), breadcrumbs(url, [{ name: 'Shop', path: '/shop' }, ...family, { name, path }])],
    preloads: picturePreload(image, pictureSizes.product),
    serverRendered: path,
    until: shown.until,
    answers: firstAnswers([productEntry(call, shown), ...(category === '' ? [] : [listingEntry(catalogue, relatedCall(category))])]),
  };
};
