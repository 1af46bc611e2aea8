import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { CannotStart } from '../cannot-start.ts';
import { prepareDataDir, readOrCreateSecret } from '../data-dir.ts';
import { PostgresCluster, type PostgresSettings } from './postgres-cluster.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { withClient } from './postgres-client.ts';

export type EmbeddedPostgres = {
  /** Connects as the database's owner. */
  readonly url: string;
  /** Connects as the application's role, which has only the permissions granted to it. */
  readonly applicationUrl: string;
  /** Releases the server; the last process that closes it stops it. All connections to it must be closed before. */
  close(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Contains the cluster in `postgres`, and the passwords in `postgres-password` and `postgres-application-password`. */
  readonly dataDir: string;
  /** The defaults are for a durable server on a small machine. */
  readonly settings?: PostgresSettings;
  /** The function is called when the server ended and was started again or could not be. */
  readonly onTrouble?: (message: string) => void;
};

/** The key of an advisory lock that every process using the server shares, so that the last one knows that it is the last. */
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

  /** Takes the shared lock if the server at this port has this cluster. The server may be slow or stopping. */
  async #hold(port: number): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url(port), application_name: 'ruhani keeper', keepAlive: true });
    client.on('error', () => {});
    try {
      await client.connect();
      // The query waits while the last process stops the server, and then fails.
      await client.query('select pg_advisory_lock_shared($1)', [IN_USE]);
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      // A copied data directory has the original's lock file, and so its port.
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

  async open(wanted?: number): Promise<number> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const running = await this.cluster.portOfLockFile();
      if (running !== undefined && (await this.#hold(running))) return running;
      const started = await this.cluster.start(wanted);
      if (started !== undefined && (await this.#hold(started))) return started;
      // Another process may be starting or stopping the server.
      await pause(PAUSE);
    }
    throw new CannotStart(`The embedded Postgres in ${this.cluster.directory} does not start: ${await this.cluster.readLastLogLines()}`);
  }

  /** Starts a killed server at the same port, where the pools expect it; retries until it succeeds. */
  async #recover(port: number): Promise<void> {
    this.#connection = undefined;
    this.onTrouble('The embedded Postgres is gone: starting it again');
    for (let isOpen = false; !isOpen && !this.#closing;)
      try {
        await this.open(port);
        isOpen = true;
      } catch (error) {
        this.onTrouble(error instanceof Error ? error.message : String(error));
      }
  }

  /** Releases the shared lock. Returns true if no other process holds it; no process can take it until this connection ends. */
  async #letGo(client: pg.Client): Promise<boolean> {
    try {
      await client.query('select pg_advisory_unlock_shared($1)', [IN_USE]);
      const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [IN_USE]);
      return rows[0]?.last === true;
    } catch {
      // The last process has stopped the server, or the server was killed.
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
/** The key of an advisory lock, so that concurrent processes make the role one after another. */
const MAKING_ROLE = 7_240_613;

/** Makes the role as which the shop connects, with the stored password. */
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
 * Runs Postgres 18 in `dataDir`, for a shop without `DATABASE_URL`. It listens on 127.0.0.1 with a password that only the owner of
 * `dataDir` can read. The server is a separate process: one that a killed process left, or that another process uses, is used again. Throws
 * `CannotStart`.
 */
export const openEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { settings = {}, onTrouble = () => {} } = options;
  await prepareDataDir(options.dataDir);
  // The server is recognised by its directory, so links are resolved.
  const dataDir = await realpath(options.dataDir);
  const password = await readOrCreateSecret(dataDir, 'postgres-password');
  const cluster = new PostgresCluster(dataDir, await postgresPrograms(dataDir), settings);
  await cluster.create(password);
  const keeper = new Keeper(cluster, password, onTrouble);
  const port = await keeper.open();
  try {
    const applicationUrl = await makeApplication(keeper.url(port), await readOrCreateSecret(dataDir, 'postgres-application-password'));
    return { url: keeper.url(port), applicationUrl, close: () => keeper.close() };
  } catch (error) {
    await keeper.close();
    throw error;
  }
};
