import { sql, type Kysely } from 'kysely';

/**
 * The log. Positions are assigned under the lock of the one row of `log.head`, held until the commit: they have no gaps, and events become
 * visible in their order, so that a reader of `position > n` never misses one.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create schema log`.execute(db);
  await sql`
    create table log.head (
      only_row boolean primary key default true check (only_row),
      position bigint not null
    ) with (fillfactor = 10)`.execute(db);
  await sql`insert into log.head (position) values (0)`.execute(db);

  // json, not jsonb: the hash chain covers the text as written, and writing it is cheaper.
  await sql`
    create table log.events (
      position bigint primary key,
      stream text collate "C" not null,
      revision integer not null,
      event_id uuid not null,
      type text collate "C" not null,
      data json not null,
      metadata json not null,
      unique (stream, revision)
    )`.execute(db);
  await sql`create index events_by_category on log.events (split_part(stream, '-', 1), position)`.execute(db);

  await createAppend(db);
};

/**
 * `log.append` writes a batch of appends to different streams. It returns the position before the first event, and the streams that were
 * not at the expected revision, in which case it writes nothing. Texts are joined by the control character U+001E, which no JSON text and
 * no name contains: splitting that costs a fraction of parsing a text[].
 */
const createAppend = (db: Kysely<unknown>) =>
  sql`
    create function log.append(
      streams text, expected integer[],
      event_streams text, revisions integer[], event_ids text, types text, data text, metadata text,
      out before bigint, out refused text[], out actual integer[]
    ) language plpgsql as $append$
    declare
      written integer := cardinality(revisions);
    begin
      update log.head set position = position + written returning position - written into before;

      select array_agg(wanted.stream), array_agg(coalesce(newest.revision, -1)) into refused, actual
      from unnest(string_to_array(streams, E'\\x1e'), expected) as wanted (stream, revision)
      left join lateral (
        select event.revision from log.events event
        where event.stream = wanted.stream collate "C" order by event.revision desc limit 1
      ) newest on true
      where coalesce(newest.revision, -1) <> wanted.revision;

      insert into log.events (position, stream, revision, event_id, type, data, metadata)
      select before + row_number() over (order by event.ordinality),
        event.stream, event.revision, event.event_id::uuid, event.type, event.data::json, event.metadata::json
      from unnest(
        string_to_array(event_streams, E'\\x1e'), revisions, string_to_array(event_ids, E'\\x1e'), string_to_array(types, E'\\x1e'),
        string_to_array(data, E'\\x1e'), string_to_array(metadata, E'\\x1e')
      ) with ordinality as event (stream, revision, event_id, type, data, metadata, ordinality)
      where refused is null or event.stream <> all (refused);

      if refused is not null then
        get diagnostics written = row_count;
        update log.head set position = before + written;
      end if;
    end $append$`.execute(db);
