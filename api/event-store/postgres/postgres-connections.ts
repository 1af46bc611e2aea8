import pg from 'pg';
import { EventStoreUnavailable } from '#domain/event-store.ts';
import { backOff } from '../retry.ts';

const INT8 = 20;
const asText = (text: string): string => text;

/** JSON stays the text that was hashed; a position is a bigint. Nothing else that is read here needs pg's parsing. */
export const logTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return BigInt;
    return oid === pg.types.builtins.JSON ? asText : pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** Conditions of the server that pass: connection, resources, shutdown, serialization, a standby not yet promoted. */
const PASSING = /^(08|40|53|57|25006|55P03)/;

/** Whether asking again may help, as opposed to a mistake in what was asked. */
export const isOutage = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? PASSING.test(error.code ?? '') : error instanceof Error;

/**
 * A pool whose broken connections are replaced when they are next needed, and which gives up on a silent server after `answerWithin` ms:
 * of itself, or, where much is read, by way of `askWithin`.
 */
export const openPool = (connectionString: string, size: number, answerWithin: number, ofItself = true): pg.Pool => {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    types: logTypes,
    keepAlive: true,
    connectionTimeoutMillis: answerWithin,
    ...(ofItself && { query_timeout: answerWithin }),
    application_name: 'event-store',
    // Planned anew for each batch, log.append would take a third longer: Postgres thinks it knows arrays by their constants.
    options: '-c plan_cache_mode=force_generic_plan',
  });
  // A connection that breaks while it is idle is the pool's to replace, and one that breaks while the pool is closing is nobody's:
  // without listeners of their own, either would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/**
 * The rows that answer a query. Throws when there are none in `milliseconds`, and throws the connection away, on which they may still come.
 * Not with pg's own `query_timeout`: that puts another callback into a query that is made already, and then half of all rows ever read stay
 * in memory until the next full collection (measured over a million events: 250 MB instead of 140).
 */
export const askWithin = async <Row extends object>(pool: pg.Pool, milliseconds: number, query: pg.QueryConfig): Promise<Row[]> => {
  const client = await pool.connect();
  let timer: NodeJS.Timeout | undefined;
  try {
    const { rows } = await new Promise<pg.QueryResult<Row>>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('Query read timeout')), milliseconds);
      client.query<Row>(query, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
    });
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** Asks until there is an answer. Throws `EventStoreUnavailable` when there is none in `answerWithin` ms. Only for what may be asked twice. */
export const persistently = async <Answer>(answerWithin: number, ask: () => Promise<Answer>): Promise<Answer> => {
  const deadline = performance.now() + answerWithin;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      if (performance.now() >= deadline) throw new EventStoreUnavailable('Postgres does not answer', { cause });
      await backOff(attempt);
    }
  }
};
