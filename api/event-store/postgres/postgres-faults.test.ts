import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventStoreUnavailable, logPosition, NO_STREAM, START, type StreamHead } from '#domain/event-store.ts';
import { verifyChain } from '../chain.ts';
import { openAnnouncements } from './log-announcements.ts';
import { LogReplaced } from '../log-reader.ts';
import { openPool } from './postgres-connections.ts';
import { LogIncomplete, openPostgresEventStore, type PostgresEventStoreOptions } from './postgres-event-store.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { freshDatabase } from '../../testing/database-per-test.ts';
import { streamCategories } from '../stored-event.ts';
import { command, nextPage, restocked, soldOut, streamId } from '../testing/writing.ts';

const codec = shopCodec();
const connectionString = await freshDatabase();
const openStore = (options: Partial<PostgresEventStoreOptions> = {}) => openPostgresEventStore({ connectionString, codec, ...options });

describe('faults of Postgres', () => {
  const operator = new pg.Client({ connectionString });
  const intruder = new pg.Client({ connectionString });
  beforeAll(() => Promise.all([operator.connect(), intruder.connect()]));
  afterAll(() => Promise.all([operator.end(), intruder.end()]));

  /** Repeats if the store is just connecting anew, so that each call cuts at least one connection. */
  const cutConnections = async (): Promise<void> => {
    for (let cut = 0; cut === 0;) {
      const { rowCount } = await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'event-store%'`,
      );
      cut = rowCount ?? 0;
    }
  };

  const whileAppendsHang = async (work: () => Promise<void>): Promise<void> => {
    await intruder.query('begin');
    await intruder.query('select position from log.head for update');
    await work().finally(() => intruder.query('rollback'));
  };

  const untilAppendsHang = async (): Promise<void> => {
    for (let waiting = 0; waiting === 0;) {
      const { rowCount } = await operator.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'event-store' and datname = current_database()`,
      );
      waiting = rowCount ?? 0;
    }
  };

  test('the store closes while its listener is still connecting', async () => {
    const mute = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const pool = openPool(`postgres://ruhani@127.0.0.1:${port}/ruhani`, 1, 500);
    const announcements = openAnnouncements({
      pool,
      ask: () => Promise.resolve(),
      onAppended: () => undefined,
    });
    await once(mute, 'connection');
    await announcements.close();
    await pool.end();
    mute.close();
  });

  test('appends whose connection is cut succeed, and the log has them once', async () => {
    const store = await openStore();
    const streams = Array.from({ length: 20 }, streamId);
    const heads = await Promise.all(
      streams.map(async (stream, writer) => {
        let head: StreamHead = NO_STREAM;
        for (let round = 0; round < 15; round++) {
          const appending = store.append(stream, head, [soldOut, restocked], command());
          // Connections are cut now and then while appends are under way: before, during or after their commit.
          if (round % 3 === 1 && writer === round) await cutConnections();
          ({ head } = await appending);
        }
        return head;
      }),
    );
    for (const [index, stream] of streams.entries()) {
      expect(verifyChain(stream, await store.storedStream(stream))).toEqual({ chain: 'intact', head: heads[index] });
    }
    await store.close();
  });

  test('a follower whose connections are cut continues and misses nothing', async () => {
    const store = await openStore();
    const stream = streamId();
    const leave = new AbortController();
    const pages = store.follow(await store.head(['product']), ['product'], leave.signal)[Symbol.asyncIterator]();
    let head: StreamHead = NO_STREAM;
    for (let round = 0; round < 5; round++) {
      ({ head } = await store.append(stream, head, [soldOut], command()));
      expect(await nextPage(pages)).toMatchObject([{ stream, revision: round }]);
      await cutConnections();
    }
    leave.abort();
    await store.close();
  });

  test('an append without a response in time is reported as unavailable, and the same command later gets its outcome', async () => {
    const store = await openStore({ answerWithin: 1_000 });
    const [stream, metadata] = [streamId(), command()];
    await whileAppendsHang(async () => {
      await expect(store.append(stream, NO_STREAM, [soldOut], metadata)).rejects.toThrow(EventStoreUnavailable);
    });
    const { head } = await store.append(stream, NO_STREAM, [soldOut], metadata);
    expect(await store.read(stream)).toMatchObject({ events: [{ revision: 0, ...soldOut }], head });
    await store.close();
  });

  test('appends beyond the queue limit are refused immediately, and the queued ones succeed', async () => {
    const store = await openStore({ capacity: 5 });
    const appendAnew = () => store.append(streamId(), NO_STREAM, [soldOut], command());
    let waiting: Promise<unknown>[] = [];
    await whileAppendsHang(async () => {
      waiting = [appendAnew()];
      await untilAppendsHang();
      const crowd = await Promise.all(Array.from({ length: 5 }, () => codecTurn().then(() => waiting.push(appendAnew()))));
      expect(crowd).toHaveLength(5);
      await codecTurn();
      await expect(appendAnew()).rejects.toThrow(EventStoreUnavailable);
    });
    expect(await Promise.all(waiting)).toHaveLength(6);
    await store.close();
  });

  test('an append that Postgres rejects does not fail the others', async () => {
    const store = await openStore();
    const beyond: StreamHead = { revision: 3_000_000_000, hash: '' };
    const [bad, ...good] = await Promise.allSettled([
      store.append(streamId(), beyond, [soldOut], command()),
      ...Array.from({ length: 5 }, () => store.append(streamId(), NO_STREAM, [soldOut], command())),
    ]);
    expect(bad.status).toBe('rejected');
    expect(good.map((each) => each.status)).toEqual(good.map(() => 'fulfilled'));
    await store.close();
  });

  test('an event removed from the log stops followers of the whole log with an error', async () => {
    const store = await openStore();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut, restocked, soldOut], command());
    const from = logPosition(position - 3n);
    expect(await store.page(from, 10, streamCategories)).toHaveLength(3);
    await operator.query('delete from log.events where position = $1', [position - 1n]);
    await expect(store.page(from, 10, streamCategories)).rejects.toThrow(new LogIncomplete(logPosition(position - 1n)));
    await store.close();
  });

  test.each([
    ['shorter', 'delete from log.events where position = $1'],
    ['with other last events', 'update log.events set event_id = gen_random_uuid() where position = $1'],
  ])('a log that comes back %s ends followers that had read further', async (_, change) => {
    const store = await openStore();
    const { position } = await store.append(streamId(), NO_STREAM, [soldOut, restocked], command());
    const pages = store.follow(logPosition(position - 1n), ['product'], new AbortController().signal)[Symbol.asyncIterator]();
    expect(await nextPage(pages)).toMatchObject([{ position }]);
    const ended = expect(pages.next()).rejects.toThrow(LogReplaced);
    await operator.query(change, [position]);
    await ended;
    await store.close();
  });

  test('a store whose Postgres is down fails to open', async () => {
    const nowhere = new URL(connectionString);
    nowhere.port = '1';
    await expect(openStore({ connectionString: nowhere.href, answerWithin: 100 })).rejects.toThrow(EventStoreUnavailable);
  });

  test('a closed store reports that it is closed', async () => {
    const store = await openStore();
    await store.close();
    await expect(store.page(START, 1, ['product'])).rejects.toThrow('closed');
  });
});

/** Resolves when an append made before it has passed the codec and is queued. */
const codecTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
