import pg from 'pg';
import { EventStoreUnavailable } from '#domain/event-store.ts';
import { KEEP_ALIVE, onConnection } from '#projections/storage/connections.ts';
import { backOff } from '../../platform/retry.ts';

const INT8 = 20;
const asText = (text: string): string => text;

/** JSON stays the text that was hashed, and positions become bigint. Nothing else here needs pg's parsing. */
const logTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return BigInt;
    return oid === pg.types.builtins.JSON ? asText : pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** These SQLSTATE classes mean connection, resources, shutdown, serialization, and a standby that is not promoted yet. */
const PASSING = /^(08|40|53|57|25006|55P03)/;

export const isOutage = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? PASSING.test(error.code ?? '') : error instanceof Error;

/**
 * Opens a pool that replaces broken connections when they are next needed. It gives up on a silent server after `answerWithin` ms: by
 * itself (`ofItself`), or, for large reads, through `askWithin`.
 */
export const openPool = (connectionString: string, size: number, answerWithin: number, ofItself = true): pg.Pool => {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    types: logTypes,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: answerWithin,
    ...(ofItself && { query_timeout: answerWithin }),
    application_name: 'event-store',
    // With a new plan for each batch the append takes a third longer, because Postgres would plan for the constants of its arrays.
    options: '-c plan_cache_mode=force_generic_plan',
  });
  // The pool replaces connections that break while idle, and no caller owns those that break while it closes. Without listeners either
  // error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/**
 * Returns the rows of a query. Without a result in `milliseconds` it throws and discards the connection, on which the result may still
 * arrive. pg's own `query_timeout` replaces the query's callback after creation, and then half of all rows ever read stay in memory until
 * the next full collection (measured over a million events: 250 MB instead of 140).
 */
export const askWithin = <Row extends object>(pool: pg.Pool, milliseconds: number, query: pg.QueryConfig): Promise<Row[]> =>
  onConnection(pool, async (client) => {
    let timer: NodeJS.Timeout | undefined;
    try {
      const { rows } = await new Promise<pg.QueryResult<Row>>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error('Query read timeout')), milliseconds);
        client.query<Row>(query, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
      });
      return rows;
    } finally {
      clearTimeout(timer);
    }
  });

/** Retries, and throws `EventStoreUnavailable` after `answerWithin` ms. The query must be idempotent. */
export const retryUntilTimeout = async <Answer>(answerWithin: number, ask: () => Promise<Answer>): Promise<Answer> => {
  const deadline = performance.now() + answerWithin;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      if (performance.now() >= deadline) throw new EventStoreUnavailable('Postgres does not respond', { cause });
      await backOff(attempt);
    }
  }
};
