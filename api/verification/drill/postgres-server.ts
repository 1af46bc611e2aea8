import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The embedded Postgres as processes of the operating system. */
type Server = { readonly dataDir: string; readonly url: string };

/** The pid of the postmaster; the server may be starting. */
const serverPid = async ({ dataDir }: Server): Promise<number | undefined> => {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  return pid > 0 ? pid : undefined;
};

/** False if there is no such process. */
const signal = (pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** Kills the postmaster; its children notice within moments. False if no server runs. */
export const killPostgres = async (server: Server): Promise<boolean> => {
  const pid = await serverPid(server);
  return pid !== undefined && signal(pid, 'SIGKILL');
};

/** All processes of the server, while the postmaster, which starts new ones, is stopped. */
const allPids = async (client: pg.Client): Promise<readonly number[]> => {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()');
  return rows.map(({ pid }) => pid);
};

/** Stops all processes of the server for this time: connections stay open without answers. False if no server runs. */
export const stopPostgresFor = async (server: Server, milliseconds: number, until: AbortSignal): Promise<boolean> => {
  const client = new pg.Client({ connectionString: server.url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  const stopped: number[] = [];
  const stop = (pid: number) => signal(pid, 'SIGSTOP') && stopped.push(pid);
  try {
    await client.connect();
    const first = await serverPid(server);
    if (first === undefined) return false;
    stop(first);
    for (const pid of await allPids(client)) stop(pid);
    await pause(milliseconds, undefined, { signal: until }).catch(() => {});
    return true;
  } catch {
    return false;
  } finally {
    for (const pid of stopped.toReversed()) signal(pid, 'SIGCONT');
    await client.end().catch(() => {});
  }
};
