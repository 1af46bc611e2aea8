import { sql, type Kysely } from 'kysely';

/** Mails to one person leave in the order of `number`: the newest code in a mailbox is then the one that is good. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table shop.outbox
      add column number bigint generated always as identity,
      add column recipient bytea`.execute(db);
  await sql`create index outbox_waiting_for on shop.outbox (recipient, number) where state = 'waiting'`.execute(db);
};
