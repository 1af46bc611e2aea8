import { Migrator, sql } from 'kysely';

import type { ReadDatabase } from './database.ts';
import * as checkpoints from './migrations/2026-11-21-checkpoints.ts';

/** Named one by one, not found in a folder: the server also runs from a bundle, which has no folder. */
const migrations = { '2026-11-21-checkpoints': checkpoints };

/** Brings schema `read` up to date. Safe in many processes at once: they take turns. Throws the error of the migration that failed. */
export const migrateReadModels = async ({ db }: ReadDatabase): Promise<void> => {
  await sql`create schema if not exists read`.execute(db);
  const provider = { getMigrations: async () => migrations };
  const migrator = new Migrator({ db, provider, migrationTableSchema: 'read' });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};
