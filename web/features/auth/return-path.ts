import type { Location } from 'react-router-dom';
import { pages } from '#domain/pages.ts';

/** The doors of the shop: nobody wants to be brought back to them once they are in. */
const AUTH_PAGES: readonly string[] = [pages.signIn, pages.signUp, pages.forgotPassword, pages.resetPassword];
/** Any origin will do: it only shows whether an address leaves the site. */
const HERE = 'https://shop.invalid';

/**
 * Where to go after signing in, by the `from` of a query (`?from=%2Fcheckout`): a path of this shop, else `/`. Whoever writes the link
 * writes `from`, so it is read as a browser would read it: `//evil.test` and `/\evil.test` are other sites.
 */
export const returnPathOf = (search: string): string => {
  const from = new URLSearchParams(search).get('from');
  if (!from?.startsWith('/') || !URL.canParse(from, HERE)) return pages.home;
  const { origin, pathname, search: query, hash } = new URL(from, HERE);
  // A path that begins with two slashes (`/.//evil.test`) would be an address of another site when it is followed.
  if (origin !== HERE || pathname.startsWith('//') || AUTH_PAGES.includes(pathname)) return pages.home;
  return pathname + query + hash;
};

/**
 * Where a way in leads: to the sign-in, with the present place as `from`, so that the shopper comes back to it. Home needs no `from`,
 * it is where a sign-in ends anyway; between the doors of the shop the one that is there is carried on.
 */
export const signInAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string => {
  const from = AUTH_PAGES.includes(pathname) ? new URLSearchParams(search).get('from') : pathname + search;
  return from === null || from === pages.home ? pages.signIn : `${pages.signIn}?${new URLSearchParams({ from }).toString()}`;
};
