import type { IncomingMessage } from 'node:http';

/** The value of the first cookie of this name that a request brings. A session or a position stands in it as it is, so nothing is decoded. */
export const cookieOf = ({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined => {
  for (let at = 0; at < cookie.length;) {
    const end = cookie.indexOf(';', at);
    const next = end < 0 ? cookie.length : end;
    while (cookie[at] === ' ') at += 1;
    if (cookie.startsWith(name, at) && cookie[at + name.length] === '=') {
      const value = cookie.slice(at + name.length + 1, next);
      return value.startsWith('"') ? value.slice(1, -1) : value;
    }
    at = next + 1;
  }
  return undefined;
};
