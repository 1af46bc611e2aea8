import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import { Resources } from '../../../platform/resources.ts';
import { startShop } from './shop-server.ts';

/** Seconds from `npm start` until the shop is open, and how many packages are installed. */
export type Starts = {
  /** With packages installed, but nothing built and no data. */
  readonly first: number;
  /** Of the same clone. */
  readonly second: number;
  readonly packages: number;
};

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const CLONED = ['api', 'domain', 'projections', 'web', 'package.json', 'package-lock.json', 'tsconfig.json'];

const clone = async (directory: string): Promise<void> => {
  await mkdir(directory);
  for (const name of CLONED) await cp(path.join(ROOT, name), path.join(directory, name), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'), 'junction');
};

const secondsToOpen = async (directory: string): Promise<number> => {
  const opened = new Resources();
  const began = performance.now();
  try {
    await startShop(path.join(directory, '.data'), opened, { root: directory });
    return (performance.now() - began) / 1_000;
  } finally {
    await opened.close();
  }
};

const Installed = z.object({ packages: z.record(z.string(), z.unknown()) });

/** Starts a copy of the project twice, in this new directory. */
export const measureStarts = async (directory: string): Promise<Starts> => {
  await clone(directory);
  const { packages } = Installed.parse(JSON.parse(await readFile(path.join(ROOT, 'node_modules/.package-lock.json'), 'utf8')));
  const first = await secondsToOpen(directory);
  return { first, second: await secondsToOpen(directory), packages: Object.keys(packages).length };
};
