import { Superseded } from './failures.ts';
import { LEASE_MS } from './lease.ts';

type Query = { readonly text: string; readonly values: unknown[] };

/** Runs a query on a pool, on a client, or with kysely. */
type Run = <Row extends Record<string, unknown>>(query: Query) => Promise<{ readonly rows: Row[] }>;

/**
 * Returns the lease statements for a table of checkpoints with this key. `claim` returns these columns of the row. If there is
 * `takesAtOnce`, a condition with one more value, others take only a lease that nobody has held for the time of a lease.
 */
export const postgresLeases = <Row extends Record<string, unknown>>(
  table: string,
  keyColumns: readonly string[],
  columns: string,
  takesAtOnce?: (value: string) => string,
) => {
  const isKey = keyColumns.map((column, index) => `${column} = $${index + 1}`).join(' and ');
  const holder = `$${keyColumns.length + 1}`;
  const inLeases = (count: number) => `clock_timestamp() + ${count * LEASE_MS} * interval '1 ms'`;
  const renewed = `held_until = ${inLeases(1)}`;
  // A lease that lies further ahead than two leases was taken before the clock of the database was set back.
  const isOver = (at: string) => `(held_until < ${at} or held_until > ${inLeases(2)})`;
  const isFree = `(holder is null or holder = ${holder} or ${isOver('clock_timestamp()')})`;
  const mayTake = takesAtOnce ? `(held_until is null or ${takesAtOnce(`$${keyColumns.length + 2}`)} or ${isOver(inLeases(-1))})` : 'true';
  const claim = `update ${table} set holder = ${holder}, ${renewed} where ${isKey} and ${isFree} and ${mayTake} returning ${columns}`;
  const renew = `update ${table} set ${renewed} where ${isKey} and holder = ${holder} returning epoch`;
  const release = `update ${table} set holder = null where ${isKey} and holder = ${holder}`;
  return {
    claim: async (run: Run, key: readonly unknown[], by: string, ...value: readonly unknown[]): Promise<Row | undefined> =>
      (await run<Row>({ text: claim, values: [...key, by, ...value] })).rows[0],

    renew: async (run: Run, key: readonly unknown[], by: string): Promise<number> => {
      const { rows } = await run<{ epoch: number }>({ text: renew, values: [...key, by] });
      if (!rows[0]) throw new Superseded(`Another process has taken over ${key.join(' ')}`);
      return rows[0].epoch;
    },

    release: async (run: Run, key: readonly unknown[], by: string): Promise<void> =>
      void (await run({ text: release, values: [...key, by] })),
  };
};
