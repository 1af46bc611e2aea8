import type { ShopContext } from './context.ts';

type Attributes = {
  /** The lifetime is in ms; 0 removes the cookie. */
  readonly maxAge: number;
  readonly isSecure: boolean;
  readonly isReadable?: boolean | undefined;
};

/** For all our paths, not sent from other sites; replaces one of this name in the answer. */
export const setCookie = ({ cookies }: Pick<ShopContext, 'cookies'>, name: string, value: string, attributes: Attributes): void => {
  const { maxAge, isSecure, isReadable = false } = attributes;
  // TLS may end at a proxy that Koa was not told of.
  cookies.secure = isSecure;
  cookies.set(name, value, { maxAge, secure: isSecure, httpOnly: !isReadable, sameSite: 'lax', overwrite: true });
};
