import { createHash } from 'node:crypto';

/**
 * The function writes a batch of appends to different streams. It returns the position before the first event, and the streams that do not
 * end with the expected event, of which it writes nothing. `heads` has the hash of the event before each append (empty: there is none), and
 * null for its further events; `hashes` each event's own. `data` and `metadata` are JSON arrays, whose elements are stored as they are
 * written.
 *
 * Streams are read before the head is locked: if one grows in between, the unique index refuses the batch, and it is sent again. Nearly all
 * batches are a single event, for which there are statements without arrays: they cost half.
 *
 * The function has its owner's permissions, so that its callers may not write to the tables themselves, and a search path that callers
 * cannot set.
 */
const DEFINITION = `(
    streams text[], revisions integer[], event_ids uuid[], types text[], data json, metadata json, heads text[], hashes text[],
    out before bigint, out refused text[], out actual integer[]
  ) language plpgsql security definer set search_path = pg_catalog, pg_temp as $append$
  declare
    written bigint := 0;
    positions bigint[];
    rolled bytea;
    rolling bytea[];
    newest integer;
    ending text;
  begin
    if cardinality(streams) = 1 then
      select event.revision, right(event.metadata::text, 66) into newest, ending
      from log.events event where event.stream = streams[1] collate "C" order by event.revision desc limit 1;
      if coalesce(newest, -1) <> revisions[1] - 1 or ending <> heads[1] || '"}' then
        refused := streams;
        actual := array[coalesce(newest, -1)];
        return;
      end if;
      update log.head set position = head.position + 1, rolling_hash = sha256(head.rolling_hash || convert_to(
        format('%s %s %s %s', head.position + 1, streams[1], revisions[1], hashes[1]), 'UTF8'))
      returning head.position - 1, head.rolling_hash into before, rolled;
      insert into log.events (position, stream, revision, event_id, type, data, metadata, rolling_hash)
      values (before + 1, streams[1], revisions[1], event_ids[1], types[1], data->0, metadata->0, rolled);
      return;
    end if;

    select array_agg(wanted.stream), array_agg(coalesce(there.revision, -1)) into refused, actual
    from unnest(streams, revisions, heads) as wanted (stream, revision, hash)
    left join lateral (
      select event.revision, right(event.metadata::text, 66) as ending from log.events event
      where event.stream = wanted.stream collate "C" order by event.revision desc limit 1
    ) there on true
    where wanted.hash is not null
      and (coalesce(there.revision, -1) <> wanted.revision - 1 or there.ending <> wanted.hash || '"}');
    if refused @> streams then return; end if;

    select head.position, head.rolling_hash into before, rolled from log.head for update;
    for place in 1 .. cardinality(streams) loop
      if streams[place] = any (refused) then
        positions[place] := null;
        rolling[place] := null;
      else
        written := written + 1;
        rolled := sha256(rolled || convert_to(
          format('%s %s %s %s', before + written, streams[place], revisions[place], hashes[place]), 'UTF8'));
        positions[place] := before + written;
        rolling[place] := rolled;
      end if;
    end loop;
    insert into log.events (position, stream, revision, event_id, type, data, metadata, rolling_hash)
    select event.position, event.stream, event.revision, event.event_id, event.type, event.data, event.metadata, event.rolling_hash
    from rows from (
      unnest(positions, streams, revisions, event_ids, types, rolling), json_array_elements(data), json_array_elements(metadata)
    ) as event (position, stream, revision, event_id, type, rolling_hash, data, metadata)
    where event.position is not null;
    update log.head set position = before + written, rolling_hash = rolled;
  end $append$`;

/** A release calls the function that it was built with: two that run side by side do not replace each other's. */
export const APPEND_NAME = `append_${createHash('sha256').update(DEFINITION).digest('hex').slice(0, 16)}`;

export const APPEND_FUNCTION = `
  create or replace function log.${APPEND_NAME}${DEFINITION};
  -- Only for the application's role, if there is one (api/migrations/roles.ts).
  revoke all on function log.${APPEND_NAME} from public`;
