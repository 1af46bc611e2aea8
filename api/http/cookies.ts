import type { ShopContext } from './context.ts';

type Attributes = {
  /** How long the browser keeps it, in ms; 0 takes it away. */
  readonly maxAge: number;
  readonly isSecure: boolean;
  /** Whether scripts of the page may read it. */
  readonly isReadable?: boolean | undefined;
};

const patterns = new Map<string, RegExp>();

/** One for each of the few names that we use, which hold nothing that a pattern would read as more than itself. */
const patternOf = (name: string): RegExp => {
  const known = patterns.get(name) ?? new RegExp(`(?:^|;) *${name}=([^;]*)`);
  patterns.set(name, known);
  return known;
};

/** The cookie of this name that the browser has brought. */
export const cookieIn = ({ headers: { cookie } }: Pick<ShopContext['req'], 'headers'>, name: string): string | undefined => {
  const value = cookie === undefined ? undefined : patternOf(name).exec(cookie)?.[1];
  return value?.startsWith('"') ? value.slice(1, -1) : value;
};

/**
 * Leaves a cookie for all of our paths, which other sites do not have sent along; in place of one of this name that the answer leaves already.
 * Name and value are of our own making: letters, digits and `-_.~`.
 */
export const leaveCookie = ({ res }: Pick<ShopContext, 'res'>, name: string, value: string, attributes: Attributes): void => {
  const { maxAge, isSecure, isReadable = false } = attributes;
  const expires = new Date(maxAge === 0 ? 0 : Date.now() + maxAge).toUTCString();
  const flags = `${isSecure ? '; secure' : ''}${isReadable ? '' : '; httponly'}`;
  const cookie = `${name}=${value}; path=/; expires=${expires}; samesite=lax${flags}`;
  const before = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  res.setHeader('Set-Cookie', [...before.filter((each) => !each.startsWith(`${name}=`)), cookie]);
};
