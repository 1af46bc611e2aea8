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
  openOrder: '/order/:token',
  findOrder: '/find-order',
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
  takeBackEmail: '/take-back-email',
  invitation: '/invitation',
  siteManager: '/admin/site-manager',
} as const;

/** The page that verifies receipts is a single file, which works without the shop too, and no page of the app. */
export const verifyPath = '/verify';

export type PageName = keyof typeof pages;

type MeantPage = { readonly name: PageName; readonly path: string };

/** Finds the page whose path this is in any letter case. `path` is then in the shop's spelling. */
const findPage = (path: string): MeantPage | undefined => {
  const given = path.split('/');
  for (const [name, page] of Object.entries(pages)) {
    const parts = page.split('/');
    const isParameter = (index: number): boolean => parts[index]?.startsWith(':') === true;
    const matches = parts.every((part, index) =>
      isParameter(index) ? given[index] !== '' : part.toLowerCase() === given[index]?.toLowerCase(),
    );
    if (matches && parts.length === given.length)
      return { name: name as PageName, path: parts.map((part, index) => (isParameter(index) ? given[index] : part)).join('/') };
  }
  return undefined;
};

const tokenPages = Object.values(pages).filter((page) => page.endsWith('/:token'));

/** Returns the path with `:token` for the token of a mailed link, which whoever reads logs or caches could use. */
export const withoutToken = (path: string): string =>
  tokenPages.find((page) => path.toLowerCase().startsWith(page.slice(0, -':token'.length))) ?? path;

/** Returns the path in the shop's spelling, whatever its letter case; undefined when no page has it. */
export const pagePath = (path: string): string | undefined => findPage(path)?.path;

/** Returns the name of the page that has this path, with any parameters; undefined when no page has it. */
export const pageName = (path: string): PageName | undefined => {
  const page = findPage(path);
  return page?.path === path ? page.name : undefined;
};

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

/** Returns the call for products of the family, more than are shown, since the product itself and sold-out ones are left out. */
export const relatedCall = (family: ProductCategory): FirstCall => ({
  url: '/product',
  params: { category: family, limit: 3 * RELATED_SHOWN },
});

/** Returns the family in a link's `collection`, in any letter case; `atar` is accepted as a spelling of `attar`. */
export const categoryFromLink = (collection: string): ProductCategory | undefined => {
  const name = collection.toLowerCase() === 'atar' ? 'attar' : collection.toLowerCase();
  return categories.find((category) => category === name);
};
