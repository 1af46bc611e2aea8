import path from 'node:path';
import { parseArgs } from 'node:util';

import { backUp } from '../backup/back-up.ts';
import { BackupRefused, type Manifest } from '../backup/manifest.ts';
import { restore } from '../backup/restore.ts';
import { whole } from './progress.ts';

export type BackupDeps = {
  /** The connection string of the shop's Postgres, which is started if need be. */
  readonly postgres: () => Promise<string>;
  readonly out: (line: string) => void;
};

const rowsIn = ({ tables }: Manifest, wanted: string): string => whole(tables.find(({ name }) => name === wanted)?.rows ?? 0);

const summary = (manifest: Manifest): string =>
  `${rowsIn(manifest, 'log.events')} events, ${rowsIn(manifest, 'shop.users')} accounts, ${whole(manifest.tables.length)} tables, as of ${manifest.takenAt}`;

const directoryIn = (
  args: readonly string[],
  options: { readonly replace?: { type: 'boolean' } },
): { directory: string; replace: boolean } | undefined => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [directory, ...more] = positionals;
    return directory === undefined || more.length > 0
      ? undefined
      : { directory: path.resolve(directory), replace: values['replace'] === true };
  } catch {
    return undefined;
  }
};

const told = async (work: () => Promise<void>, out: BackupDeps['out']): Promise<number> => {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    out(error.message);
    return 1;
  }
};

/** `npm run backup -- <directory>`. Answers with the exit code. */
export const backupCommand = async (args: readonly string[], { postgres, out }: BackupDeps): Promise<number> => {
  const asked = directoryIn(args, {});
  if (!asked) {
    out('Usage: npm run backup -- <directory that is empty or not there yet>');
    return 1;
  }
  return told(async () => out(`Backed up ${summary(await backUp(await postgres(), asked.directory))}`), out);
};

/** `npm run restore -- <directory> [--replace]`. Answers with the exit code. */
export const restoreCommand = async (args: readonly string[], { postgres, out }: BackupDeps): Promise<number> => {
  const asked = directoryIn(args, { replace: { type: 'boolean' } });
  if (!asked) {
    out('Usage: npm run restore -- <directory of a backup> [--replace]');
    return 1;
  }
  return told(async () => {
    out(`Restored ${summary(await restore(await postgres(), asked.directory, asked))}`);
    out('Read models that were built from another log say so: npm run projections -- status, then rebuild all');
  }, out);
};
