import { describe, expect, test } from 'vitest';
import { parseReturnPath } from './return-path.ts';

const from = (address: string): string => `?${new URLSearchParams({ from: address })}`;

describe('after signing in the shopper goes', () => {
  test.each(['/cart', '/shop?collection=Oud', '/product/ruh-gulab#notes', '/viewAllOrders'])('back to %s', (path) =>
    expect(parseReturnPath(from(path))).toBe(path),
  );
  test('home, when they came from nowhere', () => expect(parseReturnPath('')).toBe('/'));
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
  ])('home, when %j was to lead them to another site', (address) => expect(parseReturnPath(from(address))).toBe('/'));
  test.each(['/signin', '/signup?from=%2Fsignin', '/reset-password?token=x'])('home instead of back to %s', (path) =>
    expect(parseReturnPath(from(path))).toBe('/'),
  );
});
