import { sql, type Kysely } from 'kysely';

/** Creates the tables of schema `read` that belong to no read model. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Each read model has a checkpoint with its lease. `stream` and `revision` are those of the event at the checkpoint.
  await sql`
    create table read.checkpoints (
      model text not null,
      version integer not null,
      slot text not null check (slot in ('live', 'next')),
      position numeric(20) not null default 0,
      event_id text not null default '',
      holder text,
      held_until timestamptz,
      epoch integer not null default 0,
      unknown_events integer not null default 0,
      tables text[] not null,
      built_at timestamptz,
      moved_at timestamptz not null default now(),
      stream text,
      revision integer,
      primary key (model, version, slot)
    )`.execute(db);
  // Events that could not be applied are parked here.
  await sql`
    create table read.parked (
      model text not null,
      version integer not null,
      slot text not null,
      position numeric(20) not null,
      stream text collate "C" not null,
      event_id text not null,
      error text not null,
      parked_at timestamptz not null default now(),
      primary key (model, version, slot, position),
      foreign key (model, version, slot) references read.checkpoints on delete cascade
    )`.execute(db);
  await sql`create index parked_by_stream on read.parked (model, version, slot, stream, position)`.execute(db);
  // These streams are to be reprojected.
  await sql`
    create table read.reprojections (
      model text not null,
      version integer not null,
      slot text not null,
      stream text collate "C" not null,
      primary key (model, version, slot, stream),
      foreign key (model, version, slot) references read.checkpoints on delete cascade
    )`.execute(db);
  // The index of the desk's search needs this extension. It comes with Postgres, and a role that may create objects in the database may
  // install it. It is not in schema `read`, which may be dropped.
  await sql`create extension if not exists pg_trgm schema public`.execute(db);
};
