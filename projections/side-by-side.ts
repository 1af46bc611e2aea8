import type pg from 'pg';

/** A connection that nobody is kept waiting for; undefined when there is none at this moment. */
const spareOf = async (pool: pg.Pool): Promise<pg.PoolClient | undefined> => {
  const isFree = pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max);
  return isFree ? pool.connect() : undefined;
};

/**
 * Runs statements that take long in this order: on the connection given and, if the pool has one to spare, on a second one beside it,
 * where a core of the database would idle. When one fails, those that are under way are waited for, and it throws.
 */
export const sideBySide = async (
  statements: readonly string[],
  run: (client: pg.ClientBase, statement: string) => Promise<unknown>,
  { client, pool }: { readonly client: pg.ClientBase; readonly pool: pg.Pool },
): Promise<void> => {
  const left = [...statements];
  const runSome = async (on: pg.ClientBase): Promise<void> => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await run(on, next);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  const spare = left.length > 1 ? await spareOf(pool) : undefined;
  const ended = await Promise.allSettled([runSome(client), ...(spare ? [runSome(spare)] : [])]);
  const failed = ended.find((each) => each.status === 'rejected');
  spare?.release(failed !== undefined);
  if (failed) throw failed.reason;
};
