import { sql, type Kysely } from 'kysely';

/** The order that an answer to staff shows: it is forgotten when its shopper is erased. Null for answers about the session's own. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table shop.kept_answers add column stream text collate "C"`.execute(db);
  await sql`create index kept_answers_by_stream on shop.kept_answers (stream) where stream is not null`.execute(db);
};
