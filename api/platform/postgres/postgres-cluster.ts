import { randomUUID } from 'node:crypto';
import { chown, mkdir, open, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

import { CannotStart } from '../cannot-start.ts';
import type { PostgresPrograms } from './postgres-programs.ts';

/** Names and values are those of postgresql.conf. */
export type PostgresSettings = Readonly<Record<string, string | number>>;

/** The settings are for one shop on a small machine. It is durable: fsync and synchronous_commit are never turned off here. */
const SETTINGS: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: 100,
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  // A checkpoint begins at half of it. Afterwards each page is logged as a whole once, which is most of the WAL under load.
  max_wal_size: '1GB',
  random_page_cost: 1.1,
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
};

const LONGEST_LOG = 5 * 2 ** 20;
/** Recovery after a crash replays at most `max_wal_size`, so a start that takes longer hangs. */
const START_SECONDS = 120;

const portIfFree = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : undefined));
    });
  });

const ANY = 0;

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Manages the directory of a server; the caller runs one operation at a time. */
export class PostgresCluster {
  readonly directory: string;
  readonly #log: string;
  readonly #settingsFile: string;

  constructor(
    readonly dataDir: string,
    readonly programs: PostgresPrograms,
    readonly settings: PostgresSettings,
  ) {
    this.directory = path.join(dataDir, 'postgres');
    this.#log = path.join(this.directory, 'server.log');
    this.#settingsFile = path.join(this.directory, 'postgresql.conf');
  }

  async #give(file: string): Promise<void> {
    const { account } = this.programs;
    if (account) await chown(file, account.uid, account.gid);
  }

  /** Creates the cluster. A cluster that a killed process left incomplete is never used. */
  async create(password: string): Promise<void> {
    if (await exists(path.join(this.directory, 'PG_VERSION'))) return;
    const draft = `${this.directory}.${randomUUID()}`;
    const passwordFile = `${draft}.password`;
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    try {
      await Promise.all([this.#give(draft), this.#give(passwordFile)]);
      const { code, output } = await this.programs.run('initdb', [
        `--pgdata=${draft}`,
        `--pwfile=${passwordFile}`,
        '--username=ruhani',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ]);
      if (code !== 0) throw new CannotStart(`The embedded Postgres could not be set up in ${this.directory}: ${lastLine(output)}`);
      // The rename fails when another process was faster; then both use its cluster.
      await rename(draft, this.directory).catch(() => {});
    } finally {
      await Promise.all([rm(passwordFile, { force: true }), rm(draft, { recursive: true, force: true })]);
    }
  }

  /** Returns the port in the lock file, whether or not that server still runs. */
  async portOfLockFile(): Promise<number | undefined> {
    const lines = await this.#lockFile();
    const port = Number(lines?.[3]);
    return Number.isInteger(port) && port > 0 ? port : undefined;
  }

  async #lockFile(): Promise<string[] | undefined> {
    return readFile(path.join(this.directory, 'postmaster.pid'), 'utf8').then(
      (text) => text.split('\n'),
      () => undefined,
    );
  }

  /**
   * Removes the lock file of a killed server whose process id now belongs to another program, because Postgres would refuse to start.
   * Without /proc the operator must do it.
   */
  async #dropStaleLockFile(): Promise<void> {
    const lines = await this.#lockFile();
    const pid = Number(lines?.[0]);
    if (!Number.isInteger(pid) || pid <= 0 || !(await exists('/proc/self'))) return;
    // A server works in its data directory. The link of an ended process, or of another user's process, cannot be read.
    const worksIn = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    if (worksIn !== (await realpath(this.directory))) await rm(path.join(this.directory, 'postmaster.pid'), { force: true });
  }

  /** Returns the former port if it is free, since other processes may expect the server there. */
  async #choosePort(): Promise<number> {
    const settings = await readFile(this.#settingsFile, 'utf8').catch(() => '');
    const [, before = ANY] = /^port = '(\d+)'$/m.exec(settings) ?? [];
    const port = (await portIfFree(Number(before))) ?? (await portIfFree(ANY));
    if (port === undefined) throw new CannotStart('No port is free on 127.0.0.1 for the embedded Postgres.');
    return port;
  }

  async #writeSettings(port: number): Promise<void> {
    const file = this.#settingsFile;
    const settings = Object.entries({ ...SETTINGS, ...this.settings, port });
    await writeFile(file, `${settings.map(([name, value]) => `${name} = '${value}'`).join('\n')}\n`, { mode: 0o600 });
    await this.#give(file);
  }

  async #shortenLog(): Promise<void> {
    const size = await stat(this.#log).then(
      ({ size }) => size,
      () => 0,
    );
    if (size > LONGEST_LOG) await rename(this.#log, `${this.#log}.old`);
  }

  /** Waits until the server answers. Returns undefined if it does not start. */
  async start(wanted?: number): Promise<number | undefined> {
    const port = wanted ?? (await this.#choosePort());
    await this.#dropStaleLockFile();
    await this.#writeSettings(port);
    await this.#shortenLog();
    const { code } = await this.programs.run('pg_ctl', [
      'start',
      '--wait',
      `--timeout=${START_SECONDS}`,
      `--pgdata=${this.directory}`,
      `--log=${this.#log}`,
      '--silent',
    ]);
    return code === 0 ? port : undefined;
  }

  async readLastLogLines(): Promise<string> {
    const file = await open(this.#log).catch(() => undefined);
    if (!file) return 'it left no message';
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2_000), position: Math.max(0, size - 2_000) });
      const text = buffer.toString('utf8', 0, bytesRead);
      return lastLine(
        text
          .split('\n')
          .filter((line) => /FATAL|PANIC|ERROR/.test(line))
          .join('\n') || text,
      );
    } finally {
      await file.close();
    }
  }

  /** Closes all connections; all commits are on disk. */
  async stop(): Promise<void> {
    const { code, output } = await this.programs.run('pg_ctl', ['stop', '--wait', '--mode=fast', `--pgdata=${this.directory}`, '--silent']);
    if (code !== 0) throw new Error(`The embedded Postgres does not stop: ${lastLine(output)}`);
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';
