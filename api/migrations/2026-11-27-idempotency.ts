import { sql, type Kysely } from 'kysely';

/**
 * Encrypted answers by `Idempotency-Key`, and the requests under way. Rows are deleted with their session, so that nothing of a shopper
 * remains after signing out or erasure. Keys and fingerprints are HMACs: a body may contain a password.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop.kept_answers (
      session bytea not null references shop.sessions on delete cascade,
      key bytea not null,
      fingerprint bytea not null,
      command uuid not null,
      claim uuid not null,
      claimed_until timestamptz not null,
      answer bytea,
      expires_at timestamptz not null,
      primary key (session, key)
    )`.execute(db);
  await sql`create index kept_answers_by_expiry on shop.kept_answers (expires_at)`.execute(db);
};
