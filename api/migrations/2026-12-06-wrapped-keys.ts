import { sql, type Kysely } from 'kysely';

/**
 * `key` is wrapped by the key-encryption key `wrapped_by`, which is stored elsewhere. Earlier keys are wrapped at the next start, which
 * then validates `wrapped`; until then the constraint applies to new rows.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.key_encryption_keys (
      id text collate "C" primary key,
      is_current boolean not null,
      added_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index one_current_key_encryption_key on shop.key_encryption_keys (is_current) where is_current`.execute(db);
  await sql`alter table shop.subject_keys add column wrapped_by text collate "C" references shop.key_encryption_keys`.execute(db);
  await sql`
    alter table shop.subject_keys
      add constraint wrapped check ((key is null) = (wrapped_by is null)) not valid,
      add constraint wrapped_key_length check (wrapped_by is null or octet_length(key) = 60)`.execute(db);
  const { rows } = await sql`select from shop.subject_keys where key is not null limit 1`.execute(db);
  if (rows.length === 0) await sql`alter table shop.subject_keys validate constraint wrapped`.execute(db);
};
