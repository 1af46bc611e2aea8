import { Migrator, sql, type QueryExecutorProvider } from 'kysely';

import type { ReadDatabase } from '../database.ts';
import * as checkpoints from './2026-11-21-checkpoints.ts';
import * as trigrams from './2026-11-25-trigrams.ts';
import * as reprojections from './2026-11-26-reprojections.ts';

/** Named one by one, not found in a folder: the server also runs from a bundle, which has no folder. */
const migrations = { '2026-11-21-checkpoints': checkpoints, '2026-11-25-trigrams': trigrams, '2026-11-26-reprojections': reprojections };

const NAME_IS_TAKEN = '23505';
const TABLE_IS_GONE = '42P01';
const ATTEMPTS = 5;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Makes the schema if there is none. Of two processes that do so at once both see none, and the later one finds the name taken. */
export const ensureSchema = async (db: QueryExecutorProvider, name: string): Promise<void> => {
  try {
    // Asked first: who may not make a schema may not even ask for one that is there.
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(name)}`.execute(db);
  } catch (error) {
    if (codeOf(error) !== NAME_IS_TAKEN) throw error;
  }
};

/**
 * Runs what is left of the migrations. The migrator looks at every table of the database first, and stumbles over one that another
 * process drops at that moment, as the switch after a rebuild does: then it looks again. Throws the error of a migration that failed.
 */
export const migrateToLatest = async (migrator: Migrator): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest();
    if (!error) return;
    if (codeOf(error) !== TABLE_IS_GONE || attempt === ATTEMPTS) throw error;
  }
};

/** Brings schema `read` up to date. Safe in many processes at once: they take turns. Throws the error of the migration that failed. */
export const migrateReadModels = async ({ db }: ReadDatabase): Promise<void> => {
  await ensureSchema(db, 'read');
  const provider = { getMigrations: async () => migrations };
  await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'read' }));
};
