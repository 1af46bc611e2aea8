import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { APPEND_NAME } from './append-function.ts';
import { describeEventStore, describeHashCheck } from '../testing/event-store-contract.ts';
import { LogIncomplete, openPostgresEventStore } from './postgres-event-store.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { expectNothingSkipped, sixtyWriters } from '../testing/sixty-writers.ts';

const codec = shopCodec();
const connectionString = await freshDatabase();

describeEventStore('the event store on Postgres', () => openPostgresEventStore({ connectionString, codec }));
describeHashCheck('the event store on Postgres', () => openPostgresEventStore({ connectionString, codec }));

/** Makes a naive event store on Postgres: a sequence gives the positions, and no lock makes commits follow their order. */
const WITHOUT_PROTECTION = `
  delete from log.head;
  create sequence log.positions;
  create or replace function log.${APPEND_NAME}(
    streams text[], revisions integer[], event_ids uuid[], types text[], data json, metadata json, heads text[], hashes text[],
    out before bigint, out refused text[], out actual integer[]
  ) language plpgsql as $append$
  declare
    last bigint;
  begin
    insert into log.events (position, stream, revision, event_id, type, data, metadata)
    select nextval('log.positions'), event.stream, event.revision, event.event_id, event.type, event.data, event.metadata
    from rows from (unnest(streams, revisions, event_ids, types), json_array_elements(data), json_array_elements(metadata))
      as event (stream, revision, event_id, type, data, metadata);
    last := currval('log.positions');
    before := last - cardinality(revisions);
    -- Not every commit takes as long as the next: holes stay open for longer than the tail is left unread in a rush, some also on a busy machine.
    if last % 20 = 0 then perform pg_sleep(1.5);
    elsif last % 3 = 0 then perform pg_sleep(0.12);
    end if;
  end $append$`;

const openSeveral = (database: string) =>
  Promise.all(Array.from({ length: 8 }, () => openPostgresEventStore({ connectionString: database, codec })));

describe('sixty writers in eight processes', () => {
  test('are followed without missing an event', async () => {
    const [first, ...others] = await openSeveral(connectionString);
    if (!first) throw new Error('No store was opened');
    const { written, seen } = await sixtyWriters(first, ...others);
    expectNothingSkipped(written, seen);
    await Promise.all([first, ...others].map((store) => store.close()));
  });

  test('end their follower with an error if the lock is missing, since it would miss events', async () => {
    const unprotected = await freshDatabase();
    const client = new pg.Client({ connectionString: unprotected });
    await client.connect();
    await client.query(WITHOUT_PROTECTION);
    await client.end();

    const [first, ...others] = await openSeveral(unprotected);
    if (!first) throw new Error('No store was opened');
    await expect(sixtyWriters(first, ...others)).rejects.toThrow(LogIncomplete);
    await Promise.all([first, ...others].map((store) => store.close()));
  });
});
