import type { Instant } from '#domain/shared/time.ts';
import { pageName, type PageName } from '#domain/site/pages.ts';

import type { StructuredData } from './structured-data.ts';

export type Page = {
  /** The status is 404 for an unknown page or product. */
  readonly status: 200 | 404;
  /** The page's own tags have this name in the build, if there are any. */
  readonly name?: 'home' | 'shop' | 'product' | 'about' | 'cart' | 'checkout';
  readonly title: string;
  readonly description: string;
  /** If it is missing, search engines do not index the page. */
  readonly canonical?: string;
  /** Previews show this picture, which is a path or a full URL. */
  readonly image?: string;
  readonly data?: readonly StructuredData[];
  /** These tags fetch the page's own files early. */
  readonly preloads?: readonly string[];
  /** The value is true if its first calls are not answered in the page, so that the script that makes them is fetched early. */
  readonly calls?: boolean;
  readonly answers?: string;
  /** The server renders this address, if the page is the same for everybody. */
  readonly serverRendered?: string;
  /** The page changes at this time, even if the catalogue does not change. */
  readonly until?: Instant | undefined;
};

export const SHOP_DESCRIPTION =
  'Attars and fine perfume from Kannauj, distilled over wood fire and bottled by hand in small numbered batches.';
const titled = (title: string, description = SHOP_DESCRIPTION) => ({ title: `${title} · RUHANI`, description });

const stills: Readonly<Record<string, Page>> = {
  '/about': {
    status: 200,
    name: 'about',
    canonical: '/about',
    ...titled('About Us', 'How RUHANI makes attar in Kannauj: copper, clay, bamboo, water and fifteen mornings of petals over sandalwood.'),
  },
  '/contact': { status: 200, canonical: '/contact', ...titled('Contact', 'Write, call or visit RUHANI in Kannauj.') },
  '/reviews': { status: 200, canonical: '/reviews', ...titled('Reviews', 'RUHANI perfumes in the words of those who wear them.') },
  '/return-policy': {
    status: 200,
    canonical: '/return-policy',
    ...titled('Return Policy', 'Returns within 14 days of delivery, refunds within 7–10 business days, exchanges of what arrived wrong.'),
  },
  '/privacy-policy': {
    status: 200,
    canonical: '/privacy-policy',
    ...titled('Privacy Policy', 'What RUHANI keeps about you, why, how it is protected and how you have it erased.'),
  },
  '/terms': { status: 200, canonical: '/terms', ...titled('Terms & Conditions', 'The terms of ordering from RUHANI.') },
};

/** The sitemap lists these paths. */
export const staticPaths = Object.keys(stills);

type Rendered =
  'home' | 'shop' | 'product' | 'cart' | 'checkout' | 'about' | 'contact' | 'reviews' | 'returnPolicy' | 'privacyPolicy' | 'terms';

/** The screens of these pages, which belong to one person, set the same title. */
const ownTitles: Readonly<Record<Exclude<PageName, Rendered>, string>> = {
  reviewOrder: 'Review Your Order',
  orderConfirmed: 'Your Order',
  invoice: 'Invoice',
  openOrder: 'Open Your Order',
  findOrder: 'Find Your Order',
  myOrders: 'My Orders',
  account: 'My Account',
  unsubscribe: 'Unsubscribe',
  endNotices: 'End notices',
  audit: 'Audit',
  signIn: 'Sign In',
  signUp: 'Sign Up',
  forgotPassword: 'Forgot Password',
  resetPassword: 'Set a New Password',
  takeBackEmail: 'Take Your Address Back',
  invitation: 'Join the Staff',
  siteManager: 'Site Manager',
};
const hasOwnTitle = (name: PageName): name is keyof typeof ownTitles => name in ownTitles;

export const unknownPage: Page = { status: 404, ...titled('Page Not Found') };

/** Returns a page with fixed content, or one of a single person, which is not indexed. */
export const staticPage = (path: string): Page => {
  if (Object.hasOwn(stills, path) && stills[path]) return { ...stills[path], serverRendered: path };
  const name = pageName(path);
  return name !== undefined && hasOwnTitle(name) ? { status: 200, ...titled(ownTitles[name]), calls: true } : unknownPage;
};
