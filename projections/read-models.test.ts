import { expect, test } from 'vitest';

import { goldenHashes } from './testing/golden-hashes.ts';

/** Each version's rows on the golden log have this hash. A released version keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v5': 'bde10550c0b9ab62dd2b01c4e63716a1f174f39f9bc7bcdd14a5b49e5b79bb7c',
  'my-orders v12': '2b2a07a9c4c1ea5906f2ccbfb573d79d4c14d5506d2a0578d0d35d6787f24a04',
  'orders-desk v14': 'b9a2d845dd0bd10c26d08ecc737b3a9eca28e1fa1647b72f52fcd5ab1449f152',
  'payments v6': '449831a7502e62c14290ec593f9205e9ddd3e3151904daf2fc29192800319054',
  'papers v3': '781fb18c8692f89a708ed2d79986b2a3b69d2b8f3c6fcfb5fdaeade76f212f6a',
  'stats v3': '870c0def3a0a33f45133e3e8238b10d70333a63c8eb4d5d799b2bde5f098ef6a',
};

test.each(await goldenHashes())('the rows of %s on the golden log are those of its version', (name, hash) =>
  expect(
    hash,
    `${name} gives other rows than it did: raise its version, so that it is built anew, and add the hash that \`npm run golden\` prints`,
  ).toBe(HASHES[name]),
);
