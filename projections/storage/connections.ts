import { hash } from 'node:crypto';

import { type DatabaseIntrospector, type Kysely, PostgresDialect, type PostgresPool, sql, type TableMetadata } from 'kysely';
import pg from 'pg';

/** The operating system probes a silent server after this many ms, and breaks the connection after ten seconds without an answer. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const LONGEST_TIMER = 2 ** 31 - 1;

/** The statement may take longer than the pool's `query_timeout`. */
export const unlimited = (text: string) => ({ text, query_timeout: LONGEST_TIMER });

/** Runs `work` on a connection of the pool. The connection is closed when `work` throws, since a transaction may still be open on it. */
export const onConnection = async <Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
};

/** Lists tables by name, without columns. */
const listTables = async (db: Kysely<unknown>): Promise<TableMetadata[]> => {
  const tables = sql<{ schema: string; name: string }>`
    select nspname as schema, relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace`;
  const { rows } = await tables.execute(db);
  return rows.map((row) => ({ ...row, isView: false, columns: [] }));
};

/**
 * Kysely's own list looks up each table again by its name, and fails if another process renames or drops one meanwhile, as a rebuild does.
 */
class Dialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return Object.assign(super.createIntrospector(db), { getTables: () => listTables(db) });
  }
}

/**
 * The shop has fewer texts than this. Texts beyond it vary with the length of a list, and each would stay in the memory of every
 * connection.
 */
const MAX_NAMES = 1_000;

const names = new Map<string, string>();

/** Returns a name by which Postgres plans a statement once for each connection. It is the same in all processes. */
const statementName = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === MAX_NAMES) return known;
  const name = hash('sha256', text, 'base64url');
  names.set(text, name);
  return name;
};

/** A text with this comment gets no name. */
export const UNNAMED = '/* unnamed */';

/**
 * Names a statement. Without values it gets no name, since `begin` and migrations of several statements need no plan. Pass a list as one
 * value (`= any($1)`), so that there are few texts. A value that needs another plan, such as a rare status, belongs into the text.
 */
const namedStatement = (text: string, values: readonly unknown[]): pg.QueryConfig => {
  const name = values.length > 0 && !text.includes(UNNAMED) ? statementName(text) : undefined;
  return { text, values: [...values], ...(name !== undefined && { name }) };
};

/** The server refuses a named statement when the columns of its `select *` have changed. */
const isOutdatedPlan = ({ code }: pg.DatabaseError): boolean => code === '0A000';

/**
 * Makes kysely's dialect with named statements. It closes a connection whose statement is outdated, and one on which a query got no answer:
 * kysely would return it to the pool, perhaps within a transaction, because its rollback gets no answer either.
 */
export const createDialect = (pool: pg.Pool): PostgresDialect => {
  const connect = async () => {
    const client = await pool.connect();
    let failure: unknown;
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      if (failure !== undefined) throw failure;
      try {
        return await client.query(namedStatement(text, values));
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || isOutdatedPlan(error)) failure = error;
        throw error;
      }
    };
    return { query, release: () => client.release(failure !== undefined) };
  };
  // The cast is safe: only cursors are missing, for which kysely would need `pg-cursor`.
  return new Dialect({ pool: { connect, end: () => pool.end() } as unknown as PostgresPool });
};
