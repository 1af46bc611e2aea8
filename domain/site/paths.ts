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

/** Whether a path is that of a page, with any parameters. */
export const isPage = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

const patterns = Object.values(pages).map((page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`));
