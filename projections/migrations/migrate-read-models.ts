import { Migrator, sql, type QueryExecutorProvider } from 'kysely';
import pg from 'pg';

import type { ReadDatabase } from '../database.ts';
import * as checkpoints from './2026-11-21-checkpoints.ts';
import * as trigrams from './2026-11-25-trigrams.ts';
import * as reprojections from './2026-11-26-reprojections.ts';

/** Imported by name, because the bundled server has no folder of migrations. */
const migrations = { '2026-11-21-checkpoints': checkpoints, '2026-11-25-trigrams': trigrams, '2026-11-26-reprojections': reprojections };

const NAME_IS_TAKEN = '23505';

/** Creates the schema if it is missing. If two processes do so at once, the later one gets a unique violation, which is ignored. */
export const ensureSchema = async (db: QueryExecutorProvider, name: string): Promise<void> => {
  try {
    // A role without the right to create schemas may not even run `create schema if not exists`.
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(name)}`.execute(db);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NAME_IS_TAKEN) throw error;
  }
};

/** Runs pending migrations. Throws the error of a failed one. */
export const migrateToLatest = async (migrator: Migrator): Promise<void> => {
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};

/** Migrates schema `read`. Safe in several processes at once: they take turns. Throws the error of a failed migration. */
export const migrateReadModels = async ({ db }: ReadDatabase): Promise<void> => {
  await ensureSchema(db, 'read');
  const provider = { getMigrations: async () => migrations };
  await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'read' }));
};
