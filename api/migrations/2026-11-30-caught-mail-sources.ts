import { sql, type Kysely } from 'kysely';

/**
 * A caught mail is stored as it came: `text` and `html` are null until the mailbox is opened. Not compressed: it is encrypted, and only a
 * few hundred are kept.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table shop.caught_mail
      alter column text drop not null,
      alter column html drop not null,
      alter column source set storage external`.execute(db);
  await sql`alter table shop.outbox alter column content set storage external`.execute(db);
};
