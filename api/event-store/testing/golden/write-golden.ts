import { appendFileSync } from 'node:fs';
import { goldenHashes } from '#projections/testing/golden-hashes.ts';
import { allSamples, GOLDEN_FILE, goldenLine, goldenLines } from './golden-lines.ts';

// `npm run golden` adds the samples that are missing in the golden file, and prints the hashes of the read models' rows. Lines never
// change.
const known = new Set(goldenLines);
for (const [category, type, variants] of allSamples)
  for (const [variant, data] of variants.entries()) {
    const line = await goldenLine(category, type, data, variant);
    if (known.has(line)) continue;
    appendFileSync(GOLDEN_FILE, `${line}\n`);
    console.log(`Added sample ${variant + 1} of ${type}.`);
  }
for (const [name, hash] of await goldenHashes()) console.log(`  '${name}': '${hash}',`);
