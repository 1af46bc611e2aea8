import { sql, type Kysely } from 'kysely';

/**
 * Streams whose rows are to be projected anew, for each version of a read model by the release that it belongs to; and of the newest event
 * applied its place in its stream, which older releases leave out.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table read.checkpoints add column stream text, add column revision integer`.execute(db);
  await sql`
    create table read.reprojections (
      model text not null,
      version integer not null,
      slot text not null,
      stream text collate "C" not null,
      primary key (model, version, slot, stream),
      foreign key (model, version, slot) references read.checkpoints on delete cascade
    )`.execute(db);
};
