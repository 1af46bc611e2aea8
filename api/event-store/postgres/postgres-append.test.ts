import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { logPosition, NO_STREAM, WrongHead, WrongRevision } from '#domain/event-store.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { ChainBroken } from '../append-conflict.ts';
import { rolledHash } from '../chain.ts';
import { openPostgresEventStore } from './postgres-event-store.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { command, restocked, soldOut, streamId } from '../testing/writing.ts';
import type { StoredEvent } from '../stored-event.ts';

const codec = shopCodec();
const connectionString = await freshDatabase();
const owner = new pg.Client({ connectionString });
const intruder = new pg.Client({ connectionString });
await Promise.all([owner.connect(), intruder.connect()]);
const stores = [await openPostgresEventStore({ connectionString, codec }), await openPostgresEventStore({ connectionString, codec })];
afterAll(() => Promise.all([owner.end(), intruder.end(), ...stores.map((store) => store.close())]));

type Row = Omit<StoredEvent, 'position'> & { readonly position: string; readonly rolled: string | null };

const rowsOf = async (client: pg.Client): Promise<readonly Row[]> => {
  const { rows } = await client.query<Row>(
    `select position, stream, revision, event_id as "eventId", type, data::text, metadata::text, encode(rolling_hash, 'hex') as rolled
     from log.events order by position`,
  );
  return rows;
};

/** Expects every event to have the computed rolling hash of the log, and the head to have that of the last event. */
const expectSealed = async (client: pg.Client): Promise<void> => {
  const rows = await rowsOf(client);
  let rolled = '';
  const expected = rows.map((row) => (rolled = rolledHash(rolled, { ...row, position: logPosition(BigInt(row.position)) })));
  expect(rows.map((row) => row.rolled)).toEqual(expected);
  const head = await client.query<object>(`select position, encode(rolling_hash, 'hex') as rolled from log.head`);
  expect(head.rows).toEqual([{ position: rows.at(-1)?.position ?? '0', rolled }]);
};

describe('the appending function', () => {
  test('seals each event with a hash over the whole log, under concurrent and refused appends', async () => {
    const [store] = stores;
    if (!store) throw new Error('No store was opened');
    await store.append(streamId(), NO_STREAM, [soldOut], command());
    await store.append(streamId(), NO_STREAM, [soldOut, restocked, soldOut], command());
    const taken = streamId();
    await store.append(taken, NO_STREAM, [soldOut], command());
    const crowd = await Promise.allSettled([
      store.append(taken, NO_STREAM, [restocked], command()),
      ...Array.from({ length: 20 }, (_, index) =>
        store.append(streamId(), NO_STREAM, index % 3 ? [soldOut] : [soldOut, restocked], command()),
      ),
      store.append(taken, { revision: 0, hash: 'b'.repeat(64) }, [restocked], command()),
    ]);
    expect(crowd.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    await expectSealed(owner);
  });

  test.each([1, 3])('accepts the append of one of two processes that both saw %i of the same streams', async (count) => {
    const streams = Array.from({ length: count }, streamId);
    await intruder.query('begin');
    await intruder.query('select from log.head for update');
    const tries = stores.map((store) => Promise.allSettled(streams.map((stream) => store.append(stream, NO_STREAM, [soldOut], command()))));
    // Both have read the streams and wait for the lock on the head.
    for (let waiting = 0; waiting < 2;) {
      const { rowCount } = await owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'event-store' and datname = current_database()`,
      );
      waiting = rowCount ?? 0;
    }
    await intruder.query('commit');
    const answers = (await Promise.all(tries)).flat();
    const lost = answers.filter((answer) => answer.status === 'rejected');
    expect(lost).toHaveLength(count);
    for (const { reason } of lost) expect(reason).toBeInstanceOf(WrongRevision);
    await expectSealed(owner);
  });

  test('reports a stream whose last event was altered as broken', async () => {
    const [store] = stores;
    if (!store) throw new Error('No store was opened');
    const stream = streamId();
    const { head } = await store.append(stream, NO_STREAM, [soldOut, restocked], command());
    const seen = { revision: 1, hash: 'c'.repeat(64) };
    await expect(store.append(stream, seen, [soldOut], command())).rejects.toThrow(WrongHead);
    await owner.query(`update log.events set metadata = replace(metadata::text, '"c-', '"d-')::json where stream = $1 and revision = 1`, [
      stream,
    ]);
    await owner.query(`update log.events set data = '{"soldOutAt":"never"}' where stream = $1 and revision = 1`, [stream]);
    await expect(store.append(stream, seen, [soldOut], command())).rejects.toThrow(new ChainBroken(stream, 1, 'altered'));
    expect(head.revision).toBe(1);
    await owner.query('delete from log.events where stream = $1', [stream]);
  });

  test("uses only functions of Postgres, whatever the caller's search path", async () => {
    await owner.query(`create schema trap; create function trap.sha256(bytea) returns bytea language sql as $$ select '\\x00'::bytea $$`);
    const url = new URL(connectionString);
    url.searchParams.set('options', '-c search_path=trap,pg_catalog');
    const store = await openPostgresEventStore({ connectionString: url.href, codec });
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut], command());
    await store.close();
    const { rows } = await owner.query<object>('select length(rolling_hash) as length from log.events where position = $1', [position]);
    expect(rows).toEqual([{ length: 32 }]);
  });
});
