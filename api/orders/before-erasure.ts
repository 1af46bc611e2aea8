import { Semaphore } from 'async-mutex';
import { sql } from 'kysely';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';

/**
 * Calls `work` with whether the erasure of the shopper is certain; until `work` ends, none becomes certain in any process. A killed process
 * loses its lock.
 */
export type BeforeErasure = <Result>(shopper: string, work: (isErased: boolean) => Promise<Result>) => Promise<Result>;

const lockOf = (shopper: string) => sql`hashtextextended(${`erasure of ${shopper}`}, 0)`;

/** Locks these shoppers until the transaction ends: meanwhile no process confirms or ships an order of theirs. */
export const lockShoppers = async (tx: ShopDatabase, shoppers: readonly string[]): Promise<void> => {
  // The order is the same everywhere, so that two erasures cannot wait for each other.
  for (const shopper of shoppers.toSorted()) await sql`select pg_advisory_xact_lock(${lockOf(shopper)})`.execute(tx);
};

const isErased = async (tx: ShopDatabase, shopper: string): Promise<boolean> => {
  const { rows } = await sql`
    select from shop.subject_keys where subject = ${shopper} and erased_at is not null
    union all
    select from shop.erasures where finished_at is null and ${shopper} = any (subjects)`.execute(tx);
  return rows.length > 0;
};

/** Each move holds a connection and may need another. */
const AT_ONCE = 4;

export const createBeforeErasure = (db: ShopDatabase): BeforeErasure => {
  const moves = new Semaphore(AT_ONCE);
  return (shopper, work) =>
    moves.runExclusive(() =>
      db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock_shared(${lockOf(shopper)})`.execute(tx);
        return work(await isErased(tx, shopper));
      }),
    );
};
