import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { formatIndex, makeVectors, VECTORS_FOLDER } from './receipt-vectors.ts';

// `npm run vectors` writes the published vectors anew.
const vectors = await makeVectors();
for (const file of readdirSync(VECTORS_FOLDER)) rmSync(new URL(file, VECTORS_FOLDER));
for (const { file, text } of vectors) writeFileSync(new URL(file, VECTORS_FOLDER), text);
writeFileSync(new URL('index.json', VECTORS_FOLDER), formatIndex(vectors));
console.log(`${vectors.length} vectors are written.`);
