import { expect, test } from 'vitest';
import { signInAddress } from './return-path.ts';

test.each([
  ['/', '', '/signin'],
  ['/shop', '?collection=Oud&q=rose', '/signin?from=%2Fshop%3Fcollection%3DOud%26q%3Drose'],
  ['/signin', '', '/signin'],
  ['/signup', '?from=%2Fcart', '/signin?from=%2Fcart'],
  ['/forgot-password', '?from=%2Fcart', '/signin?from=%2Fcart'],
  ['/reset-password', '?token=secret', '/signin'],
])('%s%s links to sign in at %s', (pathname, search, address) => {
  expect(signInAddress({ pathname, search })).toBe(address);
});
