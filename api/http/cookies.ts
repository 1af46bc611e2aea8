import type { ShopContext } from './context.ts';

type Attributes = {
  /** The lifetime is in ms; 0 removes the cookie. */
  readonly maxAge: number;
  readonly isSecure: boolean;
  readonly isReadable?: boolean | undefined;
};

/** Sets a cookie for all paths of the shop. Other sites' requests do not send it. It replaces a cookie of this name in the response. */
export const setCookie = ({ cookies }: Pick<ShopContext, 'cookies'>, name: string, value: string, attributes: Attributes): void => {
  const { maxAge, isSecure, isReadable = false } = attributes;
  // TLS may end at a proxy that Koa does not know of.
  cookies.secure = isSecure;
  cookies.set(name, value, { maxAge, secure: isSecure, httpOnly: !isReadable, sameSite: 'lax', overwrite: true });
};
