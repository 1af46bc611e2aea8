import { LIFETIMES } from './session-store.ts';
import type { ShopContext } from '../../http/context.ts';
import { setCookie } from '../../http/cookies.ts';

type Cookie = { readonly name: string; readonly maxAge: number; readonly isReadable?: boolean };

const DAY = 24 * 3_600_000;

/** Scripts of the page can read those with `isReadable`. The server decides when a cookie expires. */
const COOKIES = {
  session: { name: 'session', maxAge: LIFETIMES.visitor.absolute },
  /** Shows the page that a user is signed in. Without this cookie the page does not fetch the user. */
  hint: { name: 'signed_in', maxAge: LIFETIMES.user.absolute, isReadable: true },
  /** Marks an admin's requests, which get no cached response for everybody (catalogue/routes.ts). It gives no permission. */
  staff: { name: 'staff', maxAge: LIFETIMES.user.absolute },
  /** Tells the page that there is a session: only then it fetches the cart. */
  visitor: { name: 'visitor', maxAge: LIFETIMES.visitor.absolute, isReadable: true },
  /** Marks a browser in which the account was entered before (sign-in/known-devices.ts). */
  device: { name: 'device', maxAge: 365 * DAY },
  /** Names the registration made in this browser (sign-in/sign-up.ts). */
  registration: { name: 'registration', maxAge: DAY },
  /** Names the attempt at third-party sign-in (accounts/routes.ts). */
  attempt: { name: 'attempt', maxAge: DAY },
} as const satisfies Record<string, Cookie>;

export type SessionCookies = {
  read(ctx: Pick<ShopContext, 'cookies'>, which: keyof typeof COOKIES): string | undefined;
  leave(ctx: ShopContext, which: keyof typeof COOKIES, value: string): void;
  clear(ctx: ShopContext, which: keyof typeof COOKIES): void;
};

/**
 * Sets cookies for all paths, hidden from scripts and other sites. Under https they are sent encrypted only and named `__Host-…`, so that
 * no subdomain can set them.
 */
export const sessionCookies = ({ publicUrl }: { readonly publicUrl: string }): SessionCookies => {
  const isSecure = publicUrl.startsWith('https:');
  const getCookieName = ({ name, isReadable }: Cookie): string => (isSecure && !isReadable ? `__Host-${name}` : name);
  // TLS ends at the proxy, so the shop's own address decides.
  const set = (ctx: ShopContext, cookie: Cookie, value: string, maxAge: number): void =>
    setCookie(ctx, getCookieName(cookie), value, { maxAge, isSecure, isReadable: cookie.isReadable });
  return {
    read: (ctx, which) => ctx.cookies.get(getCookieName(COOKIES[which])),
    leave: (ctx, which, value) => set(ctx, COOKIES[which], value, COOKIES[which].maxAge),
    clear: (ctx, which) => set(ctx, COOKIES[which], '', 0),
  };
};
