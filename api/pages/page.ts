import type { StructuredData } from './structured-data.ts';

/** One page as the server sends it; the rest the browser draws. */
export type Page = {
  /** 404 where the shop has no such page, or no longer has what it showed. */
  readonly status: 200 | 404;
  /** The name under which the build keeps the page's own tags; pages without have none. */
  readonly name?: 'home' | 'shop' | 'product' | 'about' | 'cart' | 'checkout';
  readonly title: string;
  readonly description: string;
  /** The one path under which the page is known; without it search engines shall leave the page alone. */
  readonly canonical?: string;
  /** For those who share it: a path, or an address elsewhere. */
  readonly image?: string;
  readonly data?: readonly StructuredData[];
  /** Tags that have the browser fetch early what only this page needs. */
  readonly preloads?: readonly string[];
  /** It begins with calls that are not answered beforehand, so the script that makes them is fetched early. */
  readonly calls?: boolean;
  /** Answers to the first calls, as `firstAnswers` makes them. */
  readonly answers?: string;
  /** The address as which its first screen is drawn beforehand: a page that is the same for everybody, and there. */
  readonly drawn?: string;
};

export const OF_THE_HOUSE = 'Attars and fine perfume from Kannauj, distilled over wood fire and bottled by hand in small numbered batches.';
const titled = (title: string, description = OF_THE_HOUSE) => ({ title: `${title} · RUHANI`, description });

/** Pages that say the same to everybody. */
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

/** For the map of the site. */
export const stillPaths = Object.keys(stills);

/** A page whose content is the same for everybody, or of one shopper alone and therefore of no interest to others. */
export const still = (path: string, isPage: boolean): Page => {
  if (Object.hasOwn(stills, path) && stills[path]) return { ...stills[path], drawn: path };
  return isPage ? { status: 200, title: 'RUHANI', description: OF_THE_HOUSE, calls: true } : { status: 404, ...titled('Page Not Found') };
};
