import type { ShopContext } from './context.ts';

type Attributes = {
  /** In ms; 0 removes it. */
  readonly maxAge: number;
  readonly isSecure: boolean;
  readonly isReadable?: boolean | undefined;
};

const patterns = new Map<string, RegExp>();

/** Our few names need no escaping. */
const patternOf = (name: string): RegExp => {
  const known = patterns.get(name) ?? new RegExp(`(?:^|;) *${name}=([^;]*)`);
  patterns.set(name, known);
  return known;
};

export const cookieIn = ({ headers: { cookie } }: Pick<ShopContext['req'], 'headers'>, name: string): string | undefined => {
  const value = cookie === undefined ? undefined : patternOf(name).exec(cookie)?.[1];
  return value?.startsWith('"') ? value.slice(1, -1) : value;
};

/**
 * For all our paths, not sent from other sites; replaces one of this name in the answer. Name and value must be letters, digits and `-_.~`.
 */
export const leaveCookie = ({ res }: Pick<ShopContext, 'res'>, name: string, value: string, attributes: Attributes): void => {
  const { maxAge, isSecure, isReadable = false } = attributes;
  const expires = new Date(maxAge === 0 ? 0 : Date.now() + maxAge).toUTCString();
  const flags = `${isSecure ? '; secure' : ''}${isReadable ? '' : '; httponly'}`;
  const cookie = `${name}=${value}; path=/; expires=${expires}; samesite=lax${flags}`;
  const before = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  res.setHeader('Set-Cookie', [...before.filter((each) => !each.startsWith(`${name}=`)), cookie]);
};
