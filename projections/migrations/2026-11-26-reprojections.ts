import { sql, type Kysely } from 'kysely';

/**
 * Streams to be reprojected, for each version of a read model; and stream and revision of the event at the checkpoint, which older releases
 * leave empty.
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
