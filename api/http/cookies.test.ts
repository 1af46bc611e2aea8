import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { describe, expect, test } from 'vitest';

import { setCookie } from './cookies.ts';

const answer = () => {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  return { res, cookies: new Koa().createContext(req, res).cookies };
};

describe('the cookie of a response', () => {
  test('is sent to all paths of the shop, hidden from scripts, and not sent with requests from other sites', () => {
    const ctx = answer();
    setCookie(ctx, 'session', 'abc', { maxAge: 60_000, isSecure: true });
    const [cookie = ''] = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
    expect(cookie).toMatch(/^session=abc; path=\/; expires=\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT; samesite=lax; secure; httponly$/);
    const ends = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '');
    expect(Math.abs(ends - Date.now() - 60_000)).toBeLessThan(5_000);
  });

  test('replaces only a cookie of the same name', () => {
    const ctx = answer();
    setCookie(ctx, 'pos', 'cart.1', { maxAge: 1_000, isSecure: false });
    setCookie(ctx, 'visitor', '1', { maxAge: 1_000, isSecure: false, isReadable: true });
    setCookie(ctx, 'pos', 'cart.2', { maxAge: 1_000, isSecure: false });
    const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map((each) => String(each).split(';')[0]);
    expect(cookies).toEqual(['visitor=1', 'pos=cart.2']);
  });

  test('is removed by an expired cookie', () => {
    const ctx = answer();
    setCookie(ctx, 'session', '', { maxAge: 0, isSecure: false });
    expect(String(ctx.res.getHeader('Set-Cookie'))).toContain('session=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT');
  });
});
