import { expect, test } from 'vitest';

import { goldenHashes } from './testing/golden-hashes.ts';

/** Each version's rows on the golden log have this hash. A released version keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v5': 'bde10550c0b9ab62dd2b01c4e63716a1f174f39f9bc7bcdd14a5b49e5b79bb7c',
  'my-orders v12': 'af466d39714de1f94cb66d787ec1104489da57d12fa9cb41c361a1bf987507ef',
  'orders-desk v15': '42684103c3651471d1eac0a822f811a9e7c04718dc3249b1e72401ead8a6f785',
  'payments v6': '582d4908c61977726bc4f9a5e364c8003cc49515d13d44fb2211ca47623fc486',
  'papers v3': '781fb18c8692f89a708ed2d79986b2a3b69d2b8f3c6fcfb5fdaeade76f212f6a',
  'stats v3': '870c0def3a0a33f45133e3e8238b10d70333a63c8eb4d5d799b2bde5f098ef6a',
};

test.each(await goldenHashes())('the rows of %s on the golden log are those of its version', (name, hash) =>
  expect(
    hash,
    `${name} gives other rows than it did: raise its version, so that it is built anew, and add the hash that \`npm run golden\` prints`,
  ).toBe(HASHES[name]),
);
