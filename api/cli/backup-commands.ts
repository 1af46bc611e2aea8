import path from 'node:path';
import { parseArgs } from 'node:util';

import { backUp, type Directories } from './backup/back-up.ts';
import { BackupRefused, type Manifest } from './backup/manifest.ts';
import { restore } from './backup/restore.ts';
import { countText } from './progress-lines.ts';

export type BackupDeps = {
  /** Returns the connection string of the shop's Postgres, which is started if necessary. */
  readonly postgres: () => Promise<string>;
  readonly knownKeys: () => Promise<ReadonlySet<string>>;
  /** The log is in an EventStoreDB, so that neither a backup nor a restore touches it. */
  readonly isLogElsewhere?: boolean;
  readonly out: (line: string) => void;
};

const countRows = ({ tables }: Manifest, wanted: string): string => countText(tables.find(({ name }) => name === wanted)?.rows ?? 0);

const summary = (manifest: Manifest, isLogElsewhere: boolean): string =>
  `${isLogElsewhere ? '' : `${countRows(manifest, 'log.events')} events, `}${countRows(manifest, 'shop.users')} accounts, ${countText(manifest.tables.length)} tables, as of ${manifest.takenAt}`;

/** Tells an operator that a backup of the database does not contain the log. */
const LOG_ELSEWHERE =
  'the log is in the EventStoreDB of EVENTSTORE_URL, which is backed up and restored by copying its files, as api/cli/backup/README.md says';

const KEYS = { keys: { type: 'string' } } as const;

type Asked = { readonly directories: Directories; readonly replace: boolean };

const parseArguments = (args: readonly string[], options: { readonly replace?: { readonly type: 'boolean' } }): Asked | undefined => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: { ...KEYS, ...options }, allowPositionals: true });
    const [log, ...more] = positionals;
    if (log === undefined || more.length > 0) return undefined;
    const { keys } = values;
    const directories = { log: path.resolve(log), keys: typeof keys === 'string' ? path.resolve(keys) : undefined };
    return { directories, replace: values['replace'] === true };
  } catch {
    return undefined;
  }
};

const runForExitCode = async (work: () => Promise<void>, out: BackupDeps['out']): Promise<number> => {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    out(error.message);
    return 1;
  }
};

/** Runs `npm run backup -- <directory> [--keys <other directory>]`. Returns the exit code. */
export const backupCommand = async (args: readonly string[], { postgres, isLogElsewhere = false, out }: BackupDeps): Promise<number> => {
  const asked = parseArguments(args, {});
  if (!asked) {
    out('Usage: npm run backup -- <directory> [--keys <other directory>], each empty or not existing yet');
    return 1;
  }
  const { directories } = asked;
  if (directories.keys === undefined)
    out(
      'Without --keys <other directory> this backup has no keys: in a shop restored from it, names, addresses and notes of all orders read "erased".',
    );
  return runForExitCode(async () => {
    out(`Backed up ${summary(await backUp(await postgres(), directories), isLogElsewhere)}`);
    if (isLogElsewhere) out(`The events are not in it: ${LOG_ELSEWHERE}. Back up that log as well, and always before the database`);
    if (directories.keys !== undefined) out(`The wrapped keys of personal data are in ${directories.keys}: keep them apart from the log`);
  }, out);
};

/** Runs `npm run restore -- <directory> [--keys <other directory>] [--replace]`. Returns the exit code. */
export const restoreCommand = async (
  args: readonly string[],
  { postgres, knownKeys, isLogElsewhere = false, out }: BackupDeps,
): Promise<number> => {
  const asked = parseArguments(args, { replace: { type: 'boolean' } });
  if (!asked) {
    out('Usage: npm run restore -- <directory of a backup> [--keys <directory of its keys>] [--replace]');
    return 1;
  }
  const { directories, replace } = asked;
  return runForExitCode(async () => {
    const manifest = await restore(await postgres(), directories, { replace, knownKeys: await knownKeys() });
    out(`Restored ${summary(manifest, isLogElsewhere)}`);
    if (isLogElsewhere) out(`The events were left as they are: ${LOG_ELSEWHERE}`);
    if (directories.keys === undefined && manifest.format > 1)
      out('Restored without keys: names, addresses and notes of the orders read "erased"');
    out('Read models built from another log are reported as such: npm run projections -- status, then rebuild all');
  }, out);
};
