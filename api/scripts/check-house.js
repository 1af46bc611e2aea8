import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import './root.js';

// Part of `npm run check`, for what other tools do not check: folders that import each other, one name for two files, long READMEs,
// versions of tables, long files.
const ROOMS = ['domain', 'projections', 'api', 'web'];
const NOT_SOURCE = new Set(['node_modules', '.build', 'decisions', 'public', 'originals']);

/** Names that every folder of their kind has. */
const ALIKE = new Set([
  'README.md',
  'tsconfig.json',
  'vite.config.ts',
  'routes.ts',
  'inputs.ts',
  'events.ts',
  'rules.ts',
  'view.ts',
  'projector.ts',
  'queries.ts',
]);
const MOST_WORDS = 600;
const MANY_LINES = 250;

const filesIn = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const file = path.posix.join(folder, name);
    if (NOT_SOURCE.has(name)) return [];
    return statSync(file).isDirectory() ? filesIn(file) : [file];
  });

const files = ROOMS.flatMap(filesIn);
const isTest = (file) => /\.test\.tsx?$/.test(file);
const faults = [];

const byName = new Map();
for (const file of files) {
  const name = path.posix.basename(file);
  byName.set(name, [...(byName.get(name) ?? []), file]);
}
for (const [name, same] of byName)
  if (same.length > 1 && !ALIKE.has(name) && !isTest(name)) faults.push(`Files of the same name: ${same.join(', ')}`);

// `nameTable` and kysely add the version of a read model's table to its name. Tests of the naming itself use a shop of bottles.
for (const file of files.filter((name) => /\.(?:tsx?|js|md)$/.test(name)))
  for (const [table] of readFileSync(file, 'utf8').matchAll(/\b(?!(?:bottles|takings)_)[a-z_]+_v\d+\b|\bread\.\w+_v\d+\b/g))
    faults.push(`${file} names the version of a table, ${table}: use \`nameTable\``);

/** The folder within the room. Files at the room's root join folders. */
const folderOf = (file) => {
  const [room, folder, ...rest] = file.split('/');
  return rest.length > 0 ? `${room}/${folder}` : undefined;
};
const isOfShop = (file) => /\.tsx?$/.test(file) && !isTest(file) && !/\/(?:testing|browser-tests)\//.test(file);
const imports = new Map();
for (const file of files.filter(isOfShop))
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'([.#][^']+)'/g)) {
    const imported = name.startsWith('#') ? name.slice(1) : path.posix.join(path.posix.dirname(file), name);
    const [from, to] = [folderOf(file), folderOf(imported)];
    if (from && to && from !== to) imports.set(`${from} and ${to}`, `${file} imports ${imported}`);
  }
for (const [pair, one] of imports) {
  const [from, to] = pair.split(' and ');
  const other = imports.get(`${to} and ${from}`);
  if (other && from < to) faults.push(`${pair} import each other: ${one}, ${other}`);
}

/** Without tables and code, which are looked up. */
const wordsOf = (text) =>
  text
    .replaceAll(/^```[\s\S]*?^```|^\|.*/gm, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
for (const file of ['README.md', ...files])
  if (path.posix.basename(file) === 'README.md') {
    const words = wordsOf(readFileSync(file, 'utf8'));
    if (words > MOST_WORDS) faults.push(`${file} has ${words} words: at most ${MOST_WORDS}`);
  }

const long = files
  .filter((file) => /\.(?:tsx?|js)$/.test(file) && !isTest(file))
  .map((file) => [readFileSync(file, 'utf8').split('\n').length - 1, file])
  .filter(([lines]) => lines > MANY_LINES)
  .sort(([one], [other]) => other - one);
if (long.length > 0) console.warn(`Longer than ${MANY_LINES} lines:\n${long.map(([lines, file]) => `  ${lines} ${file}`).join('\n')}`);

for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
