import { sql, type Kysely } from 'kysely';

/**
 * When to check whether a key is still needed: that of a visitor who never ordered is erased 30 days after their last visit. Null: only an
 * erasure removes it.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table shop.subject_keys add column look_at timestamptz default now() + interval '30 days'`.execute(db);
  await sql`create index subject_keys_to_look_at on shop.subject_keys (look_at) where look_at is not null and key is not null`.execute(db);
};
