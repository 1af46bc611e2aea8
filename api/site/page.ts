import type { Instant } from '#domain/shared/time.ts';

import type { StructuredData } from './structured-data.ts';

/** The server's part of a page. */
export type Page = {
  /** 404 for an unknown page or product. */
  readonly status: 200 | 404;
  /** The name of the page's own tags in the build, if it has any. */
  readonly name?: 'home' | 'shop' | 'product' | 'about' | 'cart' | 'checkout';
  readonly title: string;
  readonly description: string;
  /** Without it search engines do not index the page. */
  readonly canonical?: string;
  /** For previews: a path, or a full URL. */
  readonly image?: string;
  readonly data?: readonly StructuredData[];
  /** For fetching this page's own files early. */
  readonly preloads?: readonly string[];
  /** Its first calls are not answered in the page, so the script that makes them is fetched early. */
  readonly calls?: boolean;
  /** Made by `firstAnswers`. */
  readonly answers?: string;
  /** The address to render on the server, if the page is the same for everyone. */
  readonly serverRendered?: string;
  /** From then on it is another page, though the catalogue has not changed. */
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

/** For the sitemap. */
export const staticPaths = Object.keys(stills);

/** A page with fixed content, or one of a single shopper, which is not indexed. */
export const staticPage = (path: string, isPage: boolean): Page => {
  if (Object.hasOwn(stills, path) && stills[path]) return { ...stills[path], serverRendered: path };
  return isPage
    ? { status: 200, title: 'RUHANI', description: SHOP_DESCRIPTION, calls: true }
    : { status: 404, ...titled('Page Not Found') };
};
