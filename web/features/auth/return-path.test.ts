import { expect, test } from 'vitest';
import { parseReturnPath, signInAddress } from './return-path.ts';

const from = (address: string): string => `?${new URLSearchParams({ from: address })}`;

test.each(['/cart', '/shop?collection=Oud', '/product/ruh-gulab#notes', '/viewAllOrders'])(
  'after signing in the shopper goes back to %s',
  (path) => expect(parseReturnPath(from(path))).toBe(path),
);
test('after signing in the shopper goes home, when they came from nowhere', () => expect(parseReturnPath('')).toBe('/'));
test.each([
  'https://evil.test/',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  'javascript:alert(1)',
  'evil.test',
  '//',
  '',
])('after signing in the shopper goes home, when %j was to lead them to another site', (address) =>
  expect(parseReturnPath(from(address))).toBe('/'),
);
test.each(['/signin', '/signup?from=%2Fsignin', '/reset-password?token=x'])(
  'after signing in the shopper goes home instead of back to %s',
  (path) => expect(parseReturnPath(from(path))).toBe('/'),
);

test.each([
  ['/', '', '/signin'],
  ['/shop', '?collection=Oud&q=rose', '/signin?from=%2Fshop%3Fcollection%3DOud%26q%3Drose'],
  ['/signin', '', '/signin'],
  ['/signup', '?from=%2Fcart', '/signin?from=%2Fcart'],
  ['/forgot-password', '?from=%2Fcart', '/signin?from=%2Fcart'],
  ['/reset-password', '?token=secret', '/signin'],
  ['/order/secret', '', '/signin'],
])('%s%s links to sign in at %s', (pathname, search, address) => {
  expect(signInAddress({ pathname, search })).toBe(address);
});
