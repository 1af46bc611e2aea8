/**
 * `log.append` writes a batch of appends to different streams. It returns the position before the first event, and the streams that do not
 * end with the expected event, in which case it writes nothing. Texts are joined by the control character U+001E, which no JSON text and no
 * name contains: splitting that costs a fraction of parsing a text[]. `heads` has the hash of the event before each append (empty: there is
 * none), and a dash for its further events; `hashes` each event's own.
 *
 * Streams are read before the head is locked: if one grows in between, the unique index refuses the batch, and it is sent again. A single
 * event, which nearly all batches are, has statements without arrays: they cost half.
 *
 * It runs with its owner's rights, so that its callers need no right to write to the tables, and with a search path that callers cannot
 * set.
 *
 * Where the arguments change, a migration drops the function first: the old one would stay beside the new one.
 */
export const APPEND_FUNCTION = `
  create or replace function log.append(
    streams text, revisions integer[], event_ids text, types text, data text, metadata text, heads text, hashes text,
    out before bigint, out refused text[], out actual integer[]
  ) language plpgsql security definer set search_path = pg_catalog, pg_temp as $append$
  declare
    written integer := cardinality(revisions);
    rolled bytea;
    rolling bytea[];
    names text[];
    newest integer;
    ending text;
    hash text;
  begin
    if written = 1 then
      select event.revision, right(event.metadata::text, 66) into newest, ending
      from log.events event where event.stream = streams collate "C" order by event.revision desc limit 1;
      if coalesce(newest, -1) <> revisions[1] - 1 or ending <> heads || '"}' then
        refused := array[streams];
        actual := array[coalesce(newest, -1)];
        return;
      end if;
      update log.head set position = head.position + 1, rolling_hash = sha256(head.rolling_hash || convert_to(
        format('%s %s %s %s', head.position + 1, streams, revisions[1], hashes), 'UTF8'))
      returning head.position - 1, head.rolling_hash into before, rolled;
      insert into log.events (position, stream, revision, event_id, type, data, metadata, rolling_hash)
      values (before + 1, streams, revisions[1], event_ids::uuid, types, data::json, metadata::json, rolled);
      return;
    end if;

    select array_agg(wanted.stream), array_agg(coalesce(there.revision, -1)) into refused, actual
    from unnest(string_to_array(streams, E'\\x1e'), revisions, string_to_array(heads, E'\\x1e', '-')) as wanted (stream, revision, hash)
    left join lateral (
      select event.revision, right(event.metadata::text, 66) as ending from log.events event
      where event.stream = wanted.stream collate "C" order by event.revision desc limit 1
    ) there on true
    where wanted.hash is not null
      and (coalesce(there.revision, -1) <> wanted.revision - 1 or there.ending <> wanted.hash || '"}');
    if refused is not null then
      select string_agg(event.stream, E'\\x1e' order by place), array_agg(event.revision order by place),
        string_agg(event.event_id, E'\\x1e' order by place), string_agg(event.type, E'\\x1e' order by place),
        string_agg(event.data, E'\\x1e' order by place), string_agg(event.metadata, E'\\x1e' order by place),
        string_agg(event.hash, E'\\x1e' order by place), count(*)
      into streams, revisions, event_ids, types, data, metadata, hashes, written
      from unnest(
        string_to_array(streams, E'\\x1e'), revisions, string_to_array(event_ids, E'\\x1e'), string_to_array(types, E'\\x1e'),
        string_to_array(data, E'\\x1e'), string_to_array(metadata, E'\\x1e'), string_to_array(hashes, E'\\x1e')
      ) with ordinality as event (stream, revision, event_id, type, data, metadata, hash, place)
      where event.stream <> all (refused);
      if written = 0 then return; end if;
    end if;

    select head.position, head.rolling_hash into before, rolled from log.head for update;
    names := string_to_array(streams, E'\\x1e');
    written := 0;
    foreach hash in array string_to_array(hashes, E'\\x1e') loop
      written := written + 1;
      rolled := sha256(rolled || convert_to(format('%s %s %s %s', before + written, names[written], revisions[written], hash), 'UTF8'));
      rolling[written] := rolled;
    end loop;
    insert into log.events (position, stream, revision, event_id, type, data, metadata, rolling_hash)
    select before + event.place, event.stream, event.revision, event.event_id::uuid, event.type, event.data::json, event.metadata::json,
      event.rolling_hash
    from unnest(
      names, revisions, string_to_array(event_ids, E'\\x1e'), string_to_array(types, E'\\x1e'),
      string_to_array(data, E'\\x1e'), string_to_array(metadata, E'\\x1e'), rolling
    ) with ordinality as event (stream, revision, event_id, type, data, metadata, rolling_hash, place);
    update log.head set position = before + written, rolling_hash = rolled;
  end $append$;
  -- Only for the application's role, if there is one (api/migrations/roles.ts).
  revoke all on function log.append from public`;
