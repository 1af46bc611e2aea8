import { sql, type Kysely } from 'kysely';

/** Mails to a person are sent in the order of `number`, so that the newest code in a mailbox is the valid one. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table shop.outbox
      add column number bigint generated always as identity,
      add column recipient bytea`.execute(db);
  await sql`create index outbox_waiting_for on shop.outbox (recipient, number) where state = 'waiting'`.execute(db);
};
