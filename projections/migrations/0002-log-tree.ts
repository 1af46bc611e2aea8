import { sql, type Kysely } from 'kysely';

/**
 * The Merkle tree over the log (api/transparency): `live` is read, and `next` is built beside it. A row of `log_trees` is a tree with its
 * checkpoint and lease; `generation` is the number of the log's origin, 0 before the tree is built.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.log_trees (
      name text primary key check (name in ('live', 'next')),
      generation integer not null default 0,
      size bigint not null default 0,
      position numeric(20) not null default 0,
      event_id text not null default '',
      stream text,
      revision integer,
      epoch integer not null default 0,
      holder text,
      held_until timestamptz
    )`.execute(db);
  // `hashes` has 32 bytes for each hash. `after` is the position in the log before the first leaf of a tile of leaves.
  await sql`
    create table read.log_tiles (
      tree text not null references read.log_trees,
      level smallint not null,
      index bigint not null,
      after numeric(20),
      hashes bytea not null,
      primary key (tree, level, index)
    )`.execute(db);
  // Hashes cannot be compressed.
  await sql`alter table read.log_tiles alter hashes set storage external`.execute(db);
  await sql`create index log_tiles_by_position on read.log_tiles (tree, after) where level = 0`.execute(db);
};
