import { categories, type ProductCategory } from '../product/events.ts';

/** The shop's pages have these paths. The server answers every other path with 404; links in mails use these paths too. */
export const pages = {
  home: '/',
  shop: '/shop',
  product: '/product/:productId',
  cart: '/cart',
  checkout: '/checkout',
  reviewOrder: '/review-order/:id',
  orderConfirmed: '/order-confirmed/:id',
  invoice: '/invoice/:id',
  myOrders: '/viewAllOrders',
  account: '/account',
  about: '/about',
  contact: '/contact',
  reviews: '/reviews',
  returnPolicy: '/return-policy',
  privacyPolicy: '/privacy-policy',
  terms: '/terms',
  unsubscribe: '/unsubscribe',
  endNotices: '/notices/end/:token',
  audit: '/audit',
  signIn: '/signin',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  siteManager: '/admin/site-manager',
} as const;

/** Returns the path in the shop's spelling, whatever its letter case; undefined when no page has it. */
export const pagePath = (path: string): string | undefined => {
  const given = path.split('/');
  for (const page of patterns) {
    const isParameter = (index: number): boolean => page[index]?.startsWith(':') === true;
    const matches = page.every((part, index) =>
      isParameter(index) ? given[index] !== '' : part.toLowerCase() === given[index]?.toLowerCase(),
    );
    if (matches && page.length === given.length) return page.map((part, index) => (isParameter(index) ? given[index] : part)).join('/');
  }
  return undefined;
};

/** Returns whether a page has this path, with any parameters. */
export const isPage = (path: string): boolean => pagePath(path) === path;

const patterns = Object.values(pages).map((page) => page.split('/'));

/**
 * A page needs the answer to this call below `/api` for its first paint. The server embeds the answers in the page, and the browser uses
 * them instead of calling. Server and browser must name the calls identically, so both use this file.
 */
export type FirstCall = { readonly url: string; readonly params: Readonly<Record<string, string | number | boolean>> };

/** Returns the call's name, which does not depend on the order of its parameters. */
export const callKey = ({ url, params }: FirstCall): string => {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? url : `${url}?${pairs.toSorted().join('&')}`;
};

/** The home page shows at most three featured products. */
export const FEATURED = { url: '/product', params: { isFeatured: true, limit: 3 } } as const satisfies FirstCall;

/** The home page shows bestsellers in four steps of four. */
export const BESTSELLERS = { url: '/product', params: { bestsellers: true, limit: 16 } } as const satisfies FirstCall;

/** The listing loads this many products at a time. */
export const LISTING_PAGE_SIZE = 20;

/** Returns the call for the first page of the listing: of all products, or of one family. */
export const firstPageCall = (family?: ProductCategory): FirstCall => ({
  url: '/product',
  params: { sort: 'featured', limit: LISTING_PAGE_SIZE, ...(family && { category: family }) },
});

export const productCall = (id: string): FirstCall => ({ url: `/product/${encodeURIComponent(id)}`, params: {} });

/** A wide screen shows this many related products in a row. */
export const RELATED_SHOWN = 4;

/** Returns the call for products of the family, one more than is shown, since the product itself may be among them. */
export const relatedCall = (family: ProductCategory): FirstCall => ({
  url: '/product',
  params: { category: family, limit: RELATED_SHOWN + 1 },
});

/** Returns the family in a link's `collection`, in any letter case; `atar` is accepted as a spelling of `attar`. */
export const categoryFromLink = (collection: string): ProductCategory | undefined => {
  const name = collection.toLowerCase() === 'atar' ? 'attar' : collection.toLowerCase();
  return categories.find((category) => category === name);
};
