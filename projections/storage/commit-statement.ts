import { hash } from 'node:crypto';

import type pg from 'pg';

import { eventKey } from '../follower/log-rewind.ts';
import { type RowChanges, type Commit, type CheckpointState } from '../engine/read-model-storage.ts';
import { LEASE_MS } from '../follower/lease.ts';
import type { TableSet } from '../engine/table-set.ts';
import { checkpointKey, notifySql, HAS_PARKED } from './checkpoints.ts';
import { writeStatements, type Parameter } from './table-sql.ts';

const NOTHING: RowChanges = { upserts: [], deletes: [] };

/** Moves the checkpoint by compare-and-set and writes everything else, or does nothing: each write needs a row of `moved`. */
export const commitStatement = (tableSet: TableSet, state: CheckpointState, commit: Commit): pg.QueryConfig => {
  const { to, changes, parked, unknown, unparked, reprojected } = commit;
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const [model, version, name] = checkpointKey(tableSet).map(parameter);
  const here = `(model, version, slot) = (${model}, ${version}, ${name})`;
  const isMoved = 'exists (select from moved)';
  const move = to
    ? `position = ${parameter(to.position)}, event_id = ${parameter(to.eventId)}, stream = ${parameter(to.stream)}, revision = ${parameter(to.revision)},
       held_until = clock_timestamp() + ${parameter(LEASE_MS)} * interval '1 ms'`
    : 'epoch = epoch + 1';
  const isUnparked = unparked === undefined ? 'false' : `${here} and position = ${parameter(unparked)}`;
  const moved = `moved as (
    update read.checkpoints set ${move}, unknown_events = unknown_events + ${parameter(unknown)}, moved_at = now()
    where ${here} and position = ${parameter(state.position)} and event_id = ${parameter(state.eventId)} and epoch = ${parameter(state.epoch)}
      and holder is not distinct from ${parameter(state.holder)}
      ${unparked === undefined ? '' : `and exists (select from read.parked where ${isUnparked})`}
    returning *)`;
  const writes = tableSet.tables.flatMap((table) => writeStatements(table, changes.get(table.name) ?? NOTHING, parameter, isMoved));
  const positions = () => `${parameter(parked.map(({ event }) => event.position))}::numeric[]`;
  if (parked.length > 0)
    writes.push(`insert into read.parked (model, version, slot, position, stream, event_id, error)
      select ${model}, ${version}, ${name}, * from unnest(${positions()},
        ${parameter(parked.map(({ event }) => event.stream))}::text[], ${parameter(parked.map(({ event }) => eventKey(event)))}::text[],
        ${parameter(parked.map(({ error }) => error))}::text[])
      where ${isMoved} on conflict (model, version, slot, position) do update set error = excluded.error`);
  if (unparked !== undefined) writes.push(`delete from read.parked where ${isUnparked} and ${isMoved}`);
  if (reprojected !== undefined) {
    const ofStream = `${here} and stream = ${parameter(reprojected)} and ${isMoved}`;
    writes.push(
      `delete from read.reprojections where ${ofStream}`,
      `delete from read.parked where ${ofStream} and position <> all(${positions()})`,
    );
  }
  const notified = tableSet.name === 'live' ? notifySql(parked.length > 0 ? 'true' : `${HAS_PARKED} and not (${isUnparked}))`) : '1';
  const text = `with ${[moved, ...writes.map((write, index) => `write_${index} as (${write})`)].join(', ')} select ${notified} from moved`;
  // The name is a hash of the text, of which there are only a few variants: each is planned once for each connection.
  return { name: hash('sha256', text, 'base64url'), text, values };
};
