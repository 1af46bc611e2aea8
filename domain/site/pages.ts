import { categories, type ProductCategory } from '../product/events.ts';

/** The paths of the shop's pages. The server answers every other path with 404; links in mails use these too. */
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

/** The path as the shop writes it, whatever the case of its letters; undefined when no page has it. */
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

/** Whether a path is that of a page, with any parameters. */
export const isPage = (path: string): boolean => pagePath(path) === path;

const patterns = Object.values(pages).map((page) => page.split('/'));

/**
 * A call, below `/api`, whose answer a page needs for its first paint. The server embeds the answers in the page, and the browser uses them
 * instead of making these calls: server and browser must name them identically, as here.
 */
export type FirstCall = { readonly url: string; readonly params: Readonly<Record<string, string | number | boolean>> };

/** The call's name, independent of the order of its parameters. */
export const callKey = ({ url, params }: FirstCall): string => {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? url : `${url}?${pairs.toSorted().join('&')}`;
};

/** The home page shows at most three featured products. */
export const FEATURED = { url: '/product', params: { isFeatured: true, limit: 3 } } as const satisfies FirstCall;

/** Four steps of four. */
export const BESTSELLERS = { url: '/product', params: { bestsellers: true, limit: 16 } } as const satisfies FirstCall;

/** Products loaded per step of the listing. */
export const LISTING_PAGE_SIZE = 20;

/** The first page of the listing: of all products, or of one family. */
export const firstPageOf = (family?: ProductCategory): FirstCall => ({
  url: '/product',
  params: { sort: 'featured', limit: LISTING_PAGE_SIZE, ...(family && { category: family }) },
});

export const productOf = (id: string): FirstCall => ({ url: `/product/${encodeURIComponent(id)}`, params: {} });

/** Related products in a row on wide screens. */
export const RELATED_SHOWN = 4;

/** Others of the family, one more than is shown, since the product itself may be among them. */
export const relatedOf = (family: ProductCategory): FirstCall => ({
  url: '/product',
  params: { category: family, limit: RELATED_SHOWN + 1 },
});

/** The family in a link's `collection`, in any letter case; `atar` is accepted as a spelling of `attar`. */
export const categoryFromLink = (collection: string): ProductCategory | undefined => {
  const name = collection.toLowerCase() === 'atar' ? 'attar' : collection.toLowerCase();
  return categories.find((category) => category === name);
};
