import { expect, test } from 'vitest';

import { goldenHashes } from './testing/golden-hashes.ts';

/** Each version's rows on the golden log have this hash. A released version keeps its hash. */
const HASHES: Readonly<Record<string, string>> = {
  'catalogue v7': '317f8280e0ce4d6b4cc2c11fa9b1730d877328a35c2462d85ddd7103566d0e71',
  'my-orders v13': '7f7dc66bbb2c89be631220b68b14613d3538a1c53b4a6f0a4622e661e75bd554',
  'orders-desk v18': '2f4431e5b144073382e72d1cc76b800a7caaefb01b0304b5a166d1d68ab7d70d',
  'payments v7': 'eecaa9b1b7e5ee2749eeb2ff5b0a1dc8192e7411e155e14b3bfb280baf8104fa',
  'papers v3': '781fb18c8692f89a708ed2d79986b2a3b69d2b8f3c6fcfb5fdaeade76f212f6a',
  'stats v5': 'ee374c0603e58d3da03be0948a5f64ccb3e85f512cfdf94f4598d0fc4d4e4a18',
  'messages v1': '8dd8847aa371d17ac55b9a83fde51d4d11ec96247190b2f15a5e933df6b7eb8d',
};

test.each(await goldenHashes())('the rows of %s on the golden log are those of its version', (name, hash) =>
  expect(
    hash,
    `${name} gives other rows than it did: raise its version, so that it is built anew, and add the hash that \`npm run golden\` prints`,
  ).toBe(HASHES[name]),
);
