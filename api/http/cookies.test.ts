import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';

import type { ShopContext } from './context.ts';
import { cookieIn, leaveCookie } from './cookies.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  [undefined, undefined],
  ['', undefined],
  ['session=abc', 'abc'],
  ['other=1; session=abc; last=2', 'abc'],
  ['a;session=abc', 'abc'],
  ['session=', ''],
  ['session="abc"', 'abc'],
  ['session=a=b', 'a=b'],
  ['session=first; session=second', 'first'],
  ['my-session=abc', undefined],
  ['session2=abc; sessio=n', undefined],
  ['other=session=abc', undefined],
  ['session', undefined],
  [';;  ;', undefined],
])('the session in %j is %j', (cookie, value) => {
  expect(cookieIn({ headers: cookie === undefined ? {} : { cookie } }, 'session')).toBe(value);
});

const leftBy = (leave: (ctx: Pick<ShopContext, 'res'>) => void): unknown => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  leave({ res });
  return res.getHeader('Set-Cookie');
};

const DAY = 86_400_000;

test('a cookie is for all of our paths, not for scripts and not for other sites, and is told when it ends', () => {
  vi.setSystemTime('2026-11-21T17:00:00.900Z');
  const cookies = leftBy((ctx) => {
    leaveCookie(ctx, 'session', 'abc', { maxAge: DAY, isSecure: true });
    leaveCookie(ctx, 'signed_in', '1', { maxAge: 2 * DAY, isSecure: false, isReadable: true });
  });
  expect(cookies).toEqual([
    'session=abc; path=/; expires=Sun, 22 Nov 2026 17:00:00 GMT; samesite=lax; secure; httponly',
    'signed_in=1; path=/; expires=Mon, 23 Nov 2026 17:00:00 GMT; samesite=lax',
  ]);
});

test('the last of a name is the one that is left; one that lasts for no time is taken away', () => {
  const cookies = leftBy((ctx) => {
    leaveCookie(ctx, 'session', 'abc', { maxAge: DAY, isSecure: false });
    leaveCookie(ctx, 'session', '', { maxAge: 0, isSecure: false });
  });
  expect(cookies).toEqual(['session=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=lax; httponly']);
});
