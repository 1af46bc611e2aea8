import { sql, type Kysely } from 'kysely';

/** Snapshots of long carts save reading the log: any row may be deleted any time. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.cart_snapshots (
      stream text primary key,
      version integer not null,
      revision integer not null,
      hash text not null,
      state json not null
    )`.execute(db);
};
