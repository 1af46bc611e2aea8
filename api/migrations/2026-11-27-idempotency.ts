import { sql, type Kysely } from 'kysely';

/**
 * What was answered under an `Idempotency-Key`, sealed, and which request is being worked on. It goes with its session, so that nothing
 * of a shopper outlasts signing out or erasure here. Keys and fingerprints are HMACs: a body may hold a password.
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
