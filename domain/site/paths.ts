/** The paths of the shop's pages. The server answers every other path with 404; links in mails use these too. */
export const pages = {
  home: '/',
  shop: '/shop',
  product: '/product/:productId',
  cart: '/cart',
  checkout: '/checkout',
  reviewOrder: '/review-order/:id',
  orderConfirmed: '/order-confirmed/:id',
  myOrders: '/viewAllOrders',
  account: '/account',
  about: '/about',
  contact: '/contact',
  reviews: '/reviews',
  returnPolicy: '/return-policy',
  privacyPolicy: '/privacy-policy',
  terms: '/terms',
  unsubscribe: '/unsubscribe',
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
