import { Migrator, sql, type QueryExecutorProvider } from 'kysely';

import type { ReadDatabase } from '../database.ts';
import * as checkpoints from './2026-11-21-checkpoints.ts';
import * as trigrams from './2026-11-25-trigrams.ts';
import * as reprojections from './2026-11-26-reprojections.ts';

/** Imported by name, because the bundled server has no folder of migrations. */
const migrations = { '2026-11-21-checkpoints': checkpoints, '2026-11-25-trigrams': trigrams, '2026-11-26-reprojections': reprojections };

const NAME_IS_TAKEN = '23505';
const TABLE_IS_GONE = '42P01';
const ATTEMPTS = 5;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Creates the schema if it is missing. If two processes do so at once, the later one gets a unique violation, which is ignored. */
export const ensureSchema = async (db: QueryExecutorProvider, name: string): Promise<void> => {
  try {
    // A role without the right to create schemas may not even run `create schema if not exists`.
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(name)}`.execute(db);
  } catch (error) {
    if (codeOf(error) !== NAME_IS_TAKEN) throw error;
  }
};

/**
 * Runs pending migrations. Kysely's migrator first looks at every table of the database and fails if another process drops one at that
 * moment, as a rebuild does; then it is run again. Throws the error of a failed migration.
 */
export const migrateToLatest = async (migrator: Migrator): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest();
    if (!error) return;
    if (codeOf(error) !== TABLE_IS_GONE || attempt === ATTEMPTS) throw error;
  }
};

/** Migrates schema `read`. Safe in several processes at once: they take turns. Throws the error of a failed migration. */
export const migrateReadModels = async ({ db }: ReadDatabase): Promise<void> => {
  await ensureSchema(db, 'read');
  const provider = { getMigrations: async () => migrations };
  await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'read' }));
};
