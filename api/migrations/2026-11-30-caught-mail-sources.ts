import { sql, type Kysely } from 'kysely';

/**
 * A caught mail is kept as it came: `text` and `html` are null until somebody opens the mailbox. What is encrypted, or gone after a few
 * hundred mails, is not worth compressing.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table shop.caught_mail
      alter column text drop not null,
      alter column html drop not null,
      alter column source set storage external`.execute(db);
  await sql`alter table shop.outbox alter column content set storage external`.execute(db);
};
