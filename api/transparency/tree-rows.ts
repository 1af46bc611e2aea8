import type pg from 'pg';

import type { LogPosition } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import { LEASE_MS, type CheckpointStorage } from '#projections/follower/lease.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';
import { postgresLeases } from '#projections/follower/postgres-leases.ts';
import { inTransaction, readCheckpointEvent, type CheckpointRow, type Querying } from '#projections/storage/checkpoints.ts';
import { onConnection } from '#projections/storage/connections.ts';

import { nodesFromTiles, partialTiles, type Tile, type TilePlace, type TreeEdge } from './tiles.ts';
import type { ReadNodes } from './merkle-tree.ts';

/** Readers ask the tree `live`; a rebuild makes `next` beside it. */
export type TreeName = 'live' | 'next';

/** A tree as the process knows it that holds its lease. */
export type HeldTree = {
  /** The number of the log's origin for which the tree was built; 0 before it is built. */
  readonly generation: number;
  readonly edge: TreeEdge;
  /** The last event in the tree. */
  readonly place: CheckpointEvent;
  readonly epoch: number;
  readonly holder: string;
};

/** `after` is the position in the log before the tile's first leaf; undefined for tiles above the leaves. */
export type StoredTile = Tile & { readonly after?: LogPosition | undefined };

export type TreeChanges = { readonly edge: TreeEdge; readonly place: CheckpointEvent; readonly tiles: readonly StoredTile[] };

type TreeRow = Pick<CheckpointRow, 'position' | 'event_id' | 'stream' | 'revision' | 'epoch'> & { generation: number; size: number };

const leases = postgresLeases<TreeRow>('read.log_trees', ['name'], 'generation, size, position, event_id, stream, revision, epoch');

const COMMIT = {
  name: 'log-tree-commit',
  text: `with moved as (
      update read.log_trees set size = $2, position = $3, event_id = $4, stream = $5, revision = $6,
        held_until = clock_timestamp() + ${LEASE_MS} * interval '1 ms'
      where name = $1 and size = $7 and position = $8 and epoch = $9 and holder = $10 returning name),
    written as (
      insert into read.log_tiles (tree, level, index, after, hashes)
      select moved.name, tile.* from moved, unnest($11::smallint[], $12::bigint[], $13::numeric[], $14::bytea[]) as tile
      on conflict (tree, level, index) do update set hashes = excluded.hashes)
    select name from moved`,
};

const TILES = {
  name: 'log-tree-tiles',
  text: `select hashes from unnest($2::smallint[], $3::bigint[]) with ordinality as wanted (level, index, place)
    left join read.log_tiles tile on (tile.tree, tile.level, tile.index) = ($1, wanted.level, wanted.index) order by place`,
};

const TILE_OF = {
  name: 'log-tree-tile-of',
  text: `select index, hashes from read.log_tiles where tree = 'live' and level = 0 and after < $1 order by after desc limit 1`,
};

const NOTHING = Buffer.alloc(0);

/** `holder` is the process that follows the log for the tree. */
export type LiveTree = Pick<HeldTree, 'generation' | 'place'> & { readonly size: number; readonly holder: string | undefined };

export type TreeReading = ReturnType<typeof treeReading>;

/** Reads trees. A tile that is not there has no hashes. */
export const treeReading = (db: Querying) => {
  const readTiles = async (name: TreeName, places: readonly Pick<TilePlace, 'level' | 'index'>[]): Promise<readonly Buffer[]> => {
    if (places.length === 0) return [];
    const values = [name, places.map(({ level }) => level), places.map(({ index }) => index)];
    const { rows } = await db.query<{ hashes: Buffer | null }>({ ...TILES, values });
    return rows.map(({ hashes }) => hashes ?? NOTHING);
  };
  return {
    readTiles,

    /** Returns the reader of the hashes of a tree's first `size` leaves. */
    readNodes: (name: TreeName, size: number): ReadNodes => nodesFromTiles(size, (places) => readTiles(name, places)),

    /** Returns the leaves' tile in which an event at this position must be, or undefined if the tree is behind it. */
    findTileOf: async (position: LogPosition): Promise<{ index: number; hashes: Buffer } | undefined> =>
      (await db.query<{ index: number; hashes: Buffer }>({ ...TILE_OF, values: [position] })).rows[0],

    /** Returns the position in the log before the first leaf of a tile of leaves. */
    findStartOf: async (index: number): Promise<LogPosition | undefined> => {
      const query = `select after from read.log_tiles where tree = 'live' and level = 0 and index = $1`;
      return (await db.query<{ after: LogPosition }>(query, [index])).rows[0]?.after;
    },

    /** Returns how far the live tree is, and which process follows the log for it. */
    findLive: async (): Promise<LiveTree | undefined> => {
      const query = `select generation, size, position, event_id, stream, revision, case when held_until > clock_timestamp() then holder end as holder
        from read.log_trees where name = 'live'`;
      const [row] = (await db.query<TreeRow & { holder: string | null }>(query)).rows;
      return row && { generation: row.generation, size: row.size, place: readCheckpointEvent(row), holder: row.holder ?? undefined };
    },

    /** Returns the places of the tiles of the live tree's first `size` leaves that are not the same in `next`. */
    findDifferences: async (size: number): Promise<readonly Pick<TilePlace, 'level' | 'index'>[]> => {
      const query = `select level, index from read.log_tiles live
        left join (select * from read.log_tiles where tree = 'next') next using (level, index),
        lateral (select greatest(0, least(256, $1::bigint / power(256, level)::bigint - index * 256))::int * 32 as bytes) as old
        where live.tree = 'live' and bytes > 0
          and substring(live.hashes for bytes) is distinct from substring(next.hashes for bytes) order by 1, 2`;
      return (await db.query<{ level: number; index: number }>(query, [size])).rows;
    },
  };
};

/** Keeps trees in the schema `read`. `pool` is that of the read models, which returns positions as bigint and sizes as numbers. */
export class TreeRows implements CheckpointStorage<TreeName, HeldTree, TreeChanges> {
  readonly reading: TreeReading;

  constructor(readonly pool: pg.Pool) {
    this.reading = treeReading(pool);
  }

  async claim(name: TreeName, holder: string): Promise<HeldTree | undefined> {
    await this.pool.query('insert into read.log_trees (name) values ($1) on conflict do nothing', [name]);
    const row = await leases.claim((query) => this.pool.query(query), [name], holder);
    if (!row) return undefined;
    const { generation, size, epoch } = row;
    const places = partialTiles(size);
    const hashes = await this.reading.readTiles(name, places);
    const levels: Buffer[] = [];
    for (const [order, { level }] of places.entries()) levels[level] = hashes[order] ?? NOTHING;
    const edge = { size, levels: Array.from(levels, (each) => each ?? NOTHING) };
    return { generation, edge, place: readCheckpointEvent(row), epoch, holder };
  }

  renew(name: TreeName, holder: string): Promise<number> {
    return leases.renew((query) => this.pool.query(query), [name], holder);
  }

  release(name: TreeName, holder: string): Promise<void> {
    return leases.release((query) => this.pool.query(query), [name], holder);
  }

  async commit(name: TreeName, held: HeldTree, { edge, place, tiles }: TreeChanges): Promise<HeldTree> {
    const next = [edge.size, place.position, place.eventId, place.stream, place.revision];
    const expected = [held.edge.size, held.place.position, held.epoch, held.holder];
    const columns = [
      tiles.map(({ level }) => level),
      tiles.map(({ index }) => index),
      tiles.map(({ after }) => after ?? null),
      tiles.map(({ hashes }) => hashes),
    ];
    const { rowCount } = await this.pool.query({ ...COMMIT, values: [name, ...next, ...expected, ...columns] });
    if (rowCount === 0) throw new Superseded(`The log's tree is no longer at ${held.place.position}, or has another holder`);
    return { ...held, edge, place };
  }

  /** Makes the tree `next` empty, for this generation. Throws `Superseded` if another process holds it. */
  async empty({ holder }: HeldTree, generation: number): Promise<void> {
    await onConnection(this.pool, (client) =>
      inTransaction(client, async () => {
        const { rowCount } = await client.query(
          `update read.log_trees set generation = $2, size = 0, position = 0, event_id = '', stream = null, revision = null
           where name = 'next' and holder = $1`,
          [holder, generation],
        );
        if (rowCount === 0) throw new Superseded('Another process builds the tree of the log');
        await client.query(`delete from read.log_tiles where tree = 'next'`);
      }),
    );
  }

  /**
   * Replaces the live tree by `next` in one transaction. The new epoch makes the holder of the live tree read it again. Throws `Superseded`
   * if another process holds `next`.
   */
  async replaceLive({ holder }: HeldTree): Promise<void> {
    await onConnection(this.pool, (client) =>
      inTransaction(client, async () => {
        await client.query(`insert into read.log_trees (name) values ('live') on conflict do nothing`);
        const { rowCount } = await client.query(
          `update read.log_trees live
           set generation = next.generation, size = next.size, position = next.position, event_id = next.event_id, stream = next.stream,
             revision = next.revision, epoch = live.epoch + 1
           from read.log_trees next where live.name = 'live' and next.name = 'next' and next.holder = $1`,
          [holder],
        );
        if (rowCount === 0) throw new Superseded('Another process builds the tree of the log');
        await client.query(`delete from read.log_tiles where tree = 'live'`);
        await client.query(`update read.log_tiles set tree = 'live' where tree = 'next'`);
        await client.query(`update read.log_trees set size = 0, generation = 0, position = 0 where name = 'next'`);
      }),
    );
  }
}
