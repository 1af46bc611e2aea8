/** The pages of the shop by their paths. The server answers every other path with "not found"; links in mails start from here too. */
export const pages = {
  home: '/',
  shop: '/shop',
  product: '/product/:productId',
  about: '/about',
  reviews: '/reviews',
  returnPolicy: '/return-policy',
  privacyPolicy: '/privacy-policy',
  terms: '/terms',
  signIn: '/signin',
  signUp: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
} as const;

/** Whether a path is that of a page, whatever stands for its parameters. */
export const isPage = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

const patterns = Object.values(pages).map((page) => new RegExp(`^${page.replace(/:\w+/g, '[^/]+')}$`));
