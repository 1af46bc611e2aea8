import type { Location } from 'react-router-dom';
import { pages, withoutToken } from '#domain/site/pages.ts';

/** Pages that a signed-in shopper must not be sent back to. */
const AUTH_PAGES: readonly string[] = [pages.signIn, pages.signUp, pages.forgotPassword, pages.resetPassword, pages.invitation];
/** Any origin works: it only shows whether a URL leaves the site. */
const HERE = 'https://shop.invalid';

/**
 * Returns where to go after signing in, from the `from` parameter (`?from=%2Fcheckout`): a path of this shop, else `/`. Anybody can write
 * such a link, so it is parsed as a browser would: `//evil.test` and `/\evil.test` are other sites.
 */
export const parseReturnPath = (search: string): string => {
  const from = new URLSearchParams(search).get('from');
  if (!from?.startsWith('/') || !URL.canParse(from, HERE)) return pages.home;
  const { origin, pathname, search: query, hash } = new URL(from, HERE);
  // A path that starts with two slashes (`/.//evil.test`) would lead to another site.
  if (origin !== HERE || pathname.startsWith('//') || AUTH_PAGES.includes(pathname)) return pages.home;
  return pathname + query + hash;
};

/**
 * Returns the sign-in page with the current page as `from`. The home page is the default and needs no `from`; the sign-in pages pass on
 * their own. Tokens of mailed links must not get into another address.
 */
export const signInAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string => {
  const from = AUTH_PAGES.includes(pathname) ? new URLSearchParams(search).get('from') : pathname + search;
  return from === null || from === pages.home || withoutToken(from) !== from
    ? pages.signIn
    : `${pages.signIn}?${new URLSearchParams({ from }).toString()}`;
};
