import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { describe, expect, test } from 'vitest';

import { leaveCookie } from './cookies.ts';

const answer = () => {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  return { res, cookies: new Koa().createContext(req, res).cookies };
};

describe('a cookie of an answer', () => {
  test('is for all of our paths, not for scripts, and not sent along by other sites', () => {
    const ctx = answer();
    leaveCookie(ctx, 'session', 'abc', { maxAge: 60_000, isSecure: true });
    const [cookie = ''] = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
    expect(cookie).toMatch(/^session=abc; path=\/; expires=\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT; samesite=lax; secure; httponly$/);
    const ends = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '');
    expect(Math.abs(ends - Date.now() - 60_000)).toBeLessThan(5_000);
  });

  test('replaces one of the same name only', () => {
    const ctx = answer();
    leaveCookie(ctx, 'pos', 'cart.1', { maxAge: 1_000, isSecure: false });
    leaveCookie(ctx, 'visitor', '1', { maxAge: 1_000, isSecure: false, isReadable: true });
    leaveCookie(ctx, 'pos', 'cart.2', { maxAge: 1_000, isSecure: false });
    const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map((each) => String(each).split(';')[0]);
    expect(cookies).toEqual(['visitor=1', 'pos=cart.2']);
  });

  test('is removed by an expired one', () => {
    const ctx = answer();
    leaveCookie(ctx, 'session', '', { maxAge: 0, isSecure: false });
    expect(String(ctx.res.getHeader('Set-Cookie'))).toContain('session=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT');
  });
});
