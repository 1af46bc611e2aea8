import { expect, test } from 'vitest';

import { goldenHashes } from './testing/golden-hashes.ts';

/** Each version's rows on the golden log have this hash. A released version keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v5': 'bde10550c0b9ab62dd2b01c4e63716a1f174f39f9bc7bcdd14a5b49e5b79bb7c',
  'my-orders v11': '47067a92d4083b291a02c5f9f43dd75107678d7e2b93e749b0b57230e3bf96bb',
  'orders-desk v13': '58ba472b2aa90f22e26fb4561e4db71e4fb430b2e81281f3af6f101dc49de8c5',
  'payments v5': '582d4908c61977726bc4f9a5e364c8003cc49515d13d44fb2211ca47623fc486',
  'papers v3': '781fb18c8692f89a708ed2d79986b2a3b69d2b8f3c6fcfb5fdaeade76f212f6a',
  'stats v3': '870c0def3a0a33f45133e3e8238b10d70333a63c8eb4d5d799b2bde5f098ef6a',
};

test.each(await goldenHashes())('the rows of %s on the golden log are those of its version', (name, hash) =>
  expect(
    hash,
    `${name} gives other rows than it did: raise its version, so that it is built anew, and add the hash that \`npm run golden\` prints`,
  ).toBe(HASHES[name]),
);
