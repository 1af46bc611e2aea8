import type pg from 'pg';

import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import { NotBuilt } from '../follower/failures.ts';
import { inTransaction, lockExpected, lockCheckpoint } from './checkpoints.ts';
import { onConnection, unlimited } from './connections.ts';
import { isMadeBy, streamId, type Projector } from '../engine/define-projector.ts';
import { buildNext, type Build, type BuildOptions } from '../engine/rebuild.ts';
import { reprojectionCommit, reprojectQueued } from '../engine/reprojection.ts';
import { assertNotRewound, type ReadableLog } from '../follower/log-rewind.ts';
import { quoteIdentifier, createTableSet, type TableSet, type StoredTable } from '../engine/table-set.ts';
import { isBuilt } from './status.ts';
import type { AnyRow } from '../engine/read-model-storage.ts';

/** The row is `missing` from the live table or `extra` in it, or the listed columns have other values. */
export type RowDifference = { readonly table: string; readonly key: string; readonly what: 'missing' | 'extra' | readonly string[] };

/** `differences` has the first few of each table; `count` is the number of all. */
export type Verified = { readonly position: LogPosition; readonly count: number; readonly differences: readonly RowDifference[] };

/** At most this many differing rows are listed for each table. */
const NAMED = 20;

/** Returns SQL that joins both tables and selects the rows that differ. */
const compareTables = (live: StoredTable, next: StoredTable): string => {
  const key = quoteIdentifier(live.spec.key);
  const differing = live.columns
    .filter(({ name }) => name !== live.spec.key)
    .map(
      ({ name }) =>
        `case when live.${quoteIdentifier(name)} is distinct from next.${quoteIdentifier(name)} then '${name.replaceAll("'", "''")}' end`,
    );
  return `
    select coalesce(live.${key}, next.${key})::text as key, live.${key} is null as missing, next.${key} is null as extra,
           columns, count(*) over ()::integer as total
    from ${live.sqlName} live full join ${next.sqlName} next on live.${key} = next.${key}
    cross join lateral (select array_remove(array[${differing.join(', ')}]::text[], null) as columns) compared
    where live.${key} is null or next.${key} is null or cardinality(columns) > 0
    order by 1 limit ${NAMED}`;
};

type Compared = { key: string; missing: boolean; extra: boolean; columns: string[]; total: number };

const listDifferences = async (client: pg.ClientBase, live: StoredTable, next: StoredTable): Promise<[number, RowDifference[]]> => {
  const { rows } = await client.query<Compared>(unlimited(compareTables(live, next)));
  const differences = rows.map(({ key, missing, extra, columns }): RowDifference => {
    const what = missing ? 'missing' : extra ? 'extra' : columns;
    return { table: live.name, key, what };
  });
  return [rows[0]?.total ?? 0, differences];
};

const compareTableSets = async (client: pg.ClientBase, live: TableSet, next: TableSet): Promise<Omit<Verified, 'position'>> => {
  const differences: RowDifference[] = [];
  let count = 0;
  for (const [index, table] of live.tables.entries()) {
    const other = next.tables[index];
    if (!other) continue;
    const [total, named] = await listDifferences(client, table, other);
    count += total;
    differences.push(...named);
  }
  return { count, differences };
};

const discard = ({ pool }: Pick<ReadDatabase, 'pool'>, { projector: { name, version }, tables }: TableSet): Promise<void> =>
  onConnection(pool, (client) =>
    inTransaction(client, async () => {
      await client.query(`delete from read.checkpoints where (model, version, slot) = ($1, $2, 'next')`, [name, version]);
      for (const { sqlName } of tables) await client.query(`drop table if exists ${sqlName}`);
    }),
  );

/**
 * Compares both sets of tables at the same position. The live checkpoint is locked only until the build has caught up and a snapshot is
 * taken, so the comparison does not block other transactions. Returns `undefined` when streams of either are queued for reprojection.
 */
const compareAtOnePosition = (build: Build, live: TableSet, pool: pg.Pool): Promise<Verified | undefined> =>
  onConnection(pool, async (reading) => {
    const position = await onConnection(pool, (locking) =>
      inTransaction(locking, async () => {
        const state = await lockCheckpoint(locking, live);
        const built = await lockExpected(locking, build.tableSet, await build.catchUpWithLocked(state.position));
        if (state.queuedStream !== undefined || built.queuedStream !== undefined) return undefined;
        await reading.query('begin isolation level repeatable read read only; select 1 from read.checkpoints limit 1');
        return state.position;
      }),
    );
    if (position === undefined) return undefined;
    const compared = await compareTableSets(reading, live, build.tableSet);
    await reading.query('commit');
    return { position, ...compared };
  });

const compare = async (build: Build, live: TableSet, { pool, storage }: ReadDatabase, signal: AbortSignal): Promise<Verified> => {
  for (;;) {
    signal.throwIfAborted();
    await reprojectQueued(storage, live, build.log);
    await build.catchUp(await storage.locked(live, async ({ position }) => position));
    const compared = await compareAtOnePosition(build, live, pool);
    if (compared) return compared;
  }
};

/**
 * Builds the read model from the first event beside the live tables, up to their position, and compares both row by row. The live tables
 * stay unchanged and in use. Throws `NotBuilt`, `LogRewound`, and `BuildInProgress`.
 */
export const verify = async (projector: Projector, log: ReadableLog, database: ReadDatabase, options: BuildOptions): Promise<Verified> => {
  const live = createTableSet(projector, 'live');
  if (!(await isBuilt(projector, database))) throw new NotBuilt(projector.name);
  const state = await database.storage.locked(live, async (each) => each);
  await assertNotRewound(log, projector, state);
  return buildNext(projector, log, database.storage, { ...options, upTo: state.position, isDiscarded: true }, async (build, signal) => {
    const verified = await compare(build, live, database, signal);
    await discard(database, build.tableSet);
    return verified;
  });
};

/** A field whose value differs from the log. Both values are JSON; `undefined` if there is no value. */
export type FieldDifference = {
  readonly model: string;
  /** The field is table, column, and the path within JSON: `orders_desk.progress.status`. */
  readonly field: string;
  readonly inLog: unknown;
  readonly inTable: unknown;
};
export type StreamVerified = { readonly compared: number; readonly differences: readonly FieldDifference[] };

type Fields = Map<string, unknown>;

/** Collects all leaves of a value with their paths. Empty objects and arrays are leaves too. */
const collect = (fields: Fields, field: string, value: unknown): void => {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) fields.set(field, value);
  for (const [name, part] of parts) collect(fields, `${field}.${name}`, part);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text; // The text is not JSON: somebody changed the table, and this is the difference.
  }
};

const listFields = ({ name, columns }: StoredTable, row: AnyRow | undefined): Fields => {
  const fields: Fields = new Map();
  if (!row) return fields;
  for (const column of columns) {
    const value = row[column.name] ?? null;
    collect(fields, `${name}.${column.name}`, column.kind === 'json' && typeof value === 'string' ? parseJson(value) : value);
  }
  return fields;
};

const compareFields = (model: string, inLog: Fields, inTable: Fields): StreamVerified => {
  const fields = [...new Set([...inLog.keys(), ...inTable.keys()])];
  const differing = fields.filter((field) => JSON.stringify(inLog.get(field)) !== JSON.stringify(inTable.get(field)));
  const differences = differing.map((field) => ({ model, field, inLog: inLog.get(field), inTable: inTable.get(field) }));
  return { compared: fields.length, differences };
};

/**
 * Folds one stream and compares the result with its rows. They are read while the checkpoint is locked, so that all are of the same moment.
 */
export const verifyStream = async (
  projector: Projector,
  stream: StreamName,
  events: readonly Recorded[],
  { storage }: Pick<ReadDatabase, 'storage'>,
): Promise<StreamVerified> => {
  const live = createTableSet(projector, 'live');
  const tables = live.tables.filter(({ spec }) => spec.kind === 'rows' && isMadeBy(spec, stream));
  const keys = new Map(tables.map(({ name }) => [name, [streamId(stream)]]));
  const rows = await storage.locked(live, (_, locked) => locked.load(live, keys));
  const { changes } = reprojectionCommit(projector, stream, events);
  const compared = tables.map((table) => {
    const row = changes.get(table.name)?.upserts.find((each) => each[table.spec.key] === streamId(stream));
    return compareFields(projector.name, listFields(table, row), listFields(table, rows.get(table.name)?.at(0)));
  });
  return {
    compared: compared.reduce((sum, each) => sum + each.compared, 0),
    differences: compared.flatMap(({ differences }) => differences),
  };
};
