import { expect, test } from 'vitest';

import { goldenHashes } from './testing/golden-hashes.ts';

/** Each version's rows on the golden log have this hash. A released version keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v5': 'bde10550c0b9ab62dd2b01c4e63716a1f174f39f9bc7bcdd14a5b49e5b79bb7c',
  'my-orders v10': 'b865a12aa46d776bef8ef1a3de5e7b55a30a1dbd07d42bd4dc7634445a7c7062',
  'orders-desk v12': '1ea78205e43ad4cc19987c5ace781172c7ebc52084cc38175060ec99c2c80e3b',
  'payments v5': '582d4908c61977726bc4f9a5e364c8003cc49515d13d44fb2211ca47623fc486',
  'papers v1': '717debd84cbb54eb89287b6942bb8f2c15717d1b80869b1c37690b67bd329dac',
  'stats v3': '870c0def3a0a33f45133e3e8238b10d70333a63c8eb4d5d799b2bde5f098ef6a',
};

test.each(await goldenHashes())('the rows of %s on the golden log are those of its version', (name, hash) =>
  expect(
    hash,
    `${name} gives other rows than it did: raise its version, so that it is built anew, and add the hash that \`npm run golden\` prints`,
  ).toBe(HASHES[name]),
);
