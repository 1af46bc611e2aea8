import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { CannotStart } from './cannot-start.ts';
import { prepareDataDir, secretIn } from './data-dir.ts';
import { PostgresCluster, type PostgresSettings } from './postgres-cluster.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { withClient } from './postgres-client.ts';

export type EmbeddedPostgres = {
  /** The connection string of the owner of everything, password and all. */
  readonly url: string;
  /** That of the application's own role, which may do what it was granted. */
  readonly applicationUrl: string;
  /** Lets go of the server; the last process to do so stops it. Its connections must be closed before. */
  close(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** The cluster is in `postgres` below it, the passwords in `postgres-password` and `postgres-application-password`. */
  readonly dataDir: string;
  /** Over those of a durable server for a small machine. */
  readonly settings?: PostgresSettings;
  /** Is told when the server was gone and has been started again, or could not be. */
  readonly onTrouble?: (message: string) => void;
};

/** Any number that nothing else locks: every process that uses the server holds it shared, so that the last one is known. */
const IN_USE = 7_240_611;
const ATTEMPTS = 20;
const PAUSE = 250;

class Keeper {
  #connection: pg.Client | undefined;
  #recovering: Promise<void> | undefined;
  #closing = false;

  constructor(
    readonly cluster: PostgresCluster,
    readonly password: string,
    readonly onTrouble: (message: string) => void,
  ) {}

  url = (port: number): string => `postgres://ruhani:${this.password}@127.0.0.1:${port}/postgres`;

  /** Takes hold of the server on this port, if it is the one of this cluster. It may answer late, or be going down just now. */
  async #hold(port: number): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url(port), application_name: 'ruhani keeper', keepAlive: true });
    client.on('error', () => {});
    try {
      await client.connect();
      // Waits while the last process is stopping the server, and fails with it.
      await client.query('select pg_advisory_lock_shared($1)', [IN_USE]);
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      // A copied data directory brings along the lock file, and with it the port, of the server of the original.
      if (rows[0]?.data_directory !== this.cluster.directory) throw new Error('Not the server of this directory');
    } catch {
      await client.end().catch(() => {});
      return false;
    }
    client.once('end', () => {
      if (!this.#closing) this.#recovering = this.#recover(port);
    });
    this.#connection = client;
    return true;
  }

  /** Finds the running server, or starts it, on `wanted` if a port is given. Answers with the port. */
  async open(wanted?: number): Promise<number> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const running = await this.cluster.portOfLockFile();
      if (running !== undefined && (await this.#hold(running))) return running;
      const started = await this.cluster.start(wanted);
      if (started !== undefined && (await this.#hold(started))) return started;
      // Another process may be starting or stopping it at this very moment.
      await pause(PAUSE);
    }
    throw new CannotStart(`The embedded Postgres in ${this.cluster.directory} does not start: ${await this.cluster.lastWords()}`);
  }

  /** The server was killed under the shop: started again on the same port, where the pools look for it. */
  async #recover(port: number): Promise<void> {
    this.#connection = undefined;
    this.onTrouble('The embedded Postgres is gone: starting it again');
    try {
      await this.open(port);
    } catch (error) {
      this.onTrouble(error instanceof Error ? error.message : String(error));
    }
  }

  /** Lets go, and tells whether nobody else holds the server; if so, nobody can take hold of it until this connection ends. */
  async #letGo(client: pg.Client): Promise<boolean> {
    try {
      await client.query('select pg_advisory_unlock_shared($1)', [IN_USE]);
      const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [IN_USE]);
      return rows[0]?.last === true;
    } catch {
      // Cut off by another process, which is the last one and stops the server, or by whoever killed it.
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#recovering;
    const client = this.#connection;
    if (!client) return;
    try {
      if (await this.#letGo(client)) await this.cluster.stop();
    } finally {
      await client.end().catch(() => {});
    }
  }
}

const APPLICATION = 'ruhani_application';
/** Any number that nothing else locks: processes that start at once make the role one after another. */
const MAKING_ROLE = 7_240_613;

/** Makes the role that the shop signs in as, and sets its password to the one that is kept. */
const makeApplication = async (ownerUrl: string, password: string): Promise<string> => {
  await withClient({ connectionString: ownerUrl, application_name: 'migrations' }, async (owner) => {
    await owner.query('begin');
    await owner.query('select pg_advisory_xact_lock($1)', [MAKING_ROLE]);
    const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [APPLICATION]);
    if (rowCount === 0) await owner.query(`create role ${APPLICATION}`);
    await owner.query(`alter role ${APPLICATION} login nosuperuser nocreaterole password ${owner.escapeLiteral(password)}`);
    await owner.query('commit');
  });
  const url = new URL(ownerUrl);
  [url.username, url.password] = [APPLICATION, password];
  return url.href;
};

/**
 * Postgres 18 in `dataDir`, made on first use, for everything that is kept when `DATABASE_URL` is not set. It listens on 127.0.0.1
 * with a password that only the owner of `dataDir` can read. It is a process of its own: a server left behind by a process that
 * was killed, or in use by another one, is found and used. Throws `CannotStart`.
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { settings = {}, onTrouble = () => {} } = options;
  await prepareDataDir(options.dataDir);
  // One name for it, however it was reached: the server is known by its directory.
  const dataDir = await realpath(options.dataDir);
  const password = await secretIn(dataDir, 'postgres-password');
  const cluster = new PostgresCluster(dataDir, await postgresPrograms(dataDir), settings);
  await cluster.create(password);
  const keeper = new Keeper(cluster, password, onTrouble);
  const port = await keeper.open();
  try {
    const applicationUrl = await makeApplication(keeper.url(port), await secretIn(dataDir, 'postgres-application-password'));
    return { url: keeper.url(port), applicationUrl, close: () => keeper.close() };
  } catch (error) {
    await keeper.close();
    throw error;
  }
};
