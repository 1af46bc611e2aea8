import type { Location } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import { AUTH_PAGES } from './return-path.ts';

/**
 * Where a way in leads: to the sign-in, with the present place as `from`, so that the shopper comes back to it. Home needs no `from`,
 * it is where a sign-in ends anyway; between the doors of the shop the one that is there is carried on.
 */
export const signInAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string => {
  const from = AUTH_PAGES.includes(pathname) ? new URLSearchParams(search).get('from') : pathname + search;
  return from === null || from === pages.home ? pages.signIn : `${pages.signIn}?${new URLSearchParams({ from }).toString()}`;
};
