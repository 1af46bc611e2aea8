import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import pg from 'pg';

import type { ReadDatabase } from '../database.ts';
import * as baseline from './0001-read-baseline.ts';
import * as logTree from './0002-log-tree.ts';

/** Migrations run in the order of their numbers. They are imported, because the bundled server has no folder of migrations. */
export const migrations = { '0001-read-baseline': baseline, '0002-log-tree': logTree };

/** The database was migrated by a build with other migrations. The message is one line for the operator. */
export class TablesOfOtherBuild extends Error {
  override readonly name = 'TablesOfOtherBuild';
  constructor(schema: string, migration: string) {
    super(
      `Schema ${schema} of the database was made by another build of the shop (${migration}), whose tables this one cannot use: start that build, or begin with an empty shop by moving DATA_DIR away or giving DATABASE_URL an empty database.`,
    );
  }
}

const NAME_IS_TAKEN = '23505';

/** Creates the schema if it is missing. If two processes do so at once, the later one gets a unique violation, which is ignored. */
export const ensureSchema = async <Tables>(db: Kysely<Tables>, name: string): Promise<void> => {
  try {
    // A role that may not create schemas may not even run `create schema if not exists`.
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(name)}`.execute(db);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NAME_IS_TAKEN) throw error;
  }
};

/**
 * A migration waits this many ms for a lock on a table and then fails, and the start with it: whoever comes after it waits behind it, so
 * that a long query would stop the shop.
 */
const LOCK_WITHIN_MS = 5_000;

const impatient = ({ up }: Migration): Migration => ({
  up: async (db) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_WITHIN_MS)}`.execute(db);
    await up(db);
  },
});

type Migrations = Readonly<Record<string, Migration>>;

/**
 * Returns whether all migrations were run. Later names than the last known one are those of the next release, which only adds, so that this
 * release goes on beside it. Throws `TablesOfOtherBuild` for any other name, and when the next release has not run all of ours.
 */
const isMigrated = async <Tables>(db: Kysely<Tables>, schema: string, known: readonly string[]): Promise<boolean> => {
  const done = `${schema}.kysely_migration`;
  const { rows: tables } = await sql<{ exists: boolean }>`select to_regclass(${done}) is not null as exists`.execute(db);
  if (tables[0]?.exists !== true) return false;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(done)} order by name collate "C"`.execute(db);
  const names = rows.map(({ name }) => name);
  const isAll = known.every((name) => names.includes(name));
  const last = known.at(-1) ?? '';
  const other = names.find((name) => !known.includes(name) && (!isAll || name < last));
  if (other !== undefined) throw new TablesOfOtherBuild(schema, other);
  return isAll;
};

/**
 * Runs pending migrations of the schema, which is created if it is missing. Throws `TablesOfOtherBuild`, or the error of a failed
 * migration.
 */
export const migrateToLatest = async <Tables>(db: Kysely<Tables>, schema: string, known: Migrations): Promise<void> => {
  await ensureSchema(db, schema);
  const names = Object.keys(known).toSorted();
  if (await isMigrated(db, schema, names)) return;
  const provider = { getMigrations: async () => Object.fromEntries(Object.entries(known).map(([name, each]) => [name, impatient(each)])) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema });
  const { error } = await migrator.migrateToLatest();
  // The next release may have migrated in between, whose names the migrator does not know.
  if (error && !(await isMigrated(db, schema, names))) throw error;
};

/** Migrates schema `read`. Several processes may call it at once: they take turns. Throws the error of a failed migration. */
export const migrateReadModels = ({ db }: ReadDatabase): Promise<void> => migrateToLatest(db, 'read', migrations);
