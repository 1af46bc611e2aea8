import { Migrator, sql } from 'kysely';

import type { ReadDatabase } from './database.ts';
import * as checkpoints from './migrations/2026-11-21-checkpoints.ts';

/** Named one by one, not found in a folder: the server also runs from a bundle, which has no folder. */
const migrations = { '2026-11-21-checkpoints': checkpoints };

const TABLE_IS_GONE = '42P01';
const ATTEMPTS = 5;

/**
 * Runs what is left of the migrations. The migrator looks at every table of the database first, and stumbles over one that another
 * process drops at that moment, as the switch after a rebuild does: then it looks again. Throws the error of a migration that failed.
 */
export const migrateToLatest = async (migrator: Migrator): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest();
    if (!error) return;
    const isPassing = error instanceof Error && 'code' in error && error.code === TABLE_IS_GONE;
    if (!isPassing || attempt === ATTEMPTS) throw error;
  }
};

/** Brings schema `read` up to date. Safe in many processes at once: they take turns. Throws the error of the migration that failed. */
export const migrateReadModels = async ({ db }: ReadDatabase): Promise<void> => {
  await sql`create schema if not exists read`.execute(db);
  const provider = { getMigrations: async () => migrations };
  await migrateToLatest(new Migrator({ db, provider, migrationTableSchema: 'read' }));
};
