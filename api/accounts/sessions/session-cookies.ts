import { LIFETIMES } from './session-store.ts';
import type { ShopContext } from '../../http/context.ts';
import { leaveCookie } from '../../http/cookies.ts';

type Cookie = { readonly name: string; readonly maxAge: number; readonly isReadable?: boolean };

const DAY = 24 * 3_600_000;

/** Readable ones are for the page's scripts. The server decides when they expire. */
const COOKIES = {
  session: { name: 'session', maxAge: LIFETIMES.visitor.absolute },
  /** Signed in: only then the page fetches the user. */
  hint: { name: 'signed_in', maxAge: LIFETIMES.user.absolute, isReadable: true },
  /** An admin's: such requests get no answer that is ready for everybody (catalogue/routes.ts). Gives no right. */
  staff: { name: 'staff', maxAge: LIFETIMES.user.absolute },
  /** With a session: only then the page fetches the cart. */
  visitor: { name: 'visitor', maxAge: LIFETIMES.visitor.absolute, isReadable: true },
  /** The account was entered in this browser before (sign-in/known-devices.ts). */
  device: { name: 'device', maxAge: 365 * DAY },
  /** The registration made in this browser (sign-in/sign-up.ts). */
  registration: { name: 'registration', maxAge: DAY },
  /** The attempt at third-party sign-in (accounts/routes.ts). */
  attempt: { name: 'attempt', maxAge: DAY },
} as const satisfies Record<string, Cookie>;

export type SessionCookies = {
  read(ctx: Pick<ShopContext, 'cookies'>, which: keyof typeof COOKIES): string | undefined;
  leave(ctx: ShopContext, which: keyof typeof COOKIES, value: string): void;
  clear(ctx: ShopContext, which: keyof typeof COOKIES): void;
};

/**
 * Hidden from scripts and other sites, for all paths. Under https encrypted only, and named `__Host-…`, so that no subdomain can set them.
 */
export const sessionCookies = ({ publicUrl }: { readonly publicUrl: string }): SessionCookies => {
  const isSecure = publicUrl.startsWith('https:');
  const nameOf = ({ name, isReadable }: Cookie): string => (isSecure && !isReadable ? `__Host-${name}` : name);
  // TLS ends at the proxy, so the shop's own address decides.
  const set = (ctx: ShopContext, cookie: Cookie, value: string, maxAge: number): void =>
    leaveCookie(ctx, nameOf(cookie), value, { maxAge, isSecure, isReadable: cookie.isReadable });
  return {
    read: (ctx, which) => ctx.cookies.get(nameOf(COOKIES[which])),
    leave: (ctx, which, value) => set(ctx, COOKIES[which], value, COOKIES[which].maxAge),
    clear: (ctx, which) => set(ctx, COOKIES[which], '', 0),
  };
};
