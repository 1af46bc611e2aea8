import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { EventStoreUnavailable, NO_STREAM, START, type EventMetadata, type EventStore, type LogPosition } from '#domain/event-store.ts';
import { instant } from '#domain/shared/instant.ts';

import { orderEvents, sampleOrderId } from '../bench/sample-orders.ts';
import { command } from '../bench/sample-event.ts';
import { freshDatabase } from '../testing/database.ts';
import { eventCodec } from './codec.ts';
import { openEventStoreDb } from './eventstoredb.ts';
import { longFeed } from './long-feed.ts';
import { postgresSubjectKeys } from './postgres-subject-keys.ts';
import { openPostgresEventStore } from './postgres.ts';
import { schemas } from './schemas.ts';
import type { StoredLog } from './stored-event.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';

const at = instant('2026-11-14T08:33:00.000Z');
const trade = { products: 10, shoppers: ['meera'] };

let connectionString: string;
let pool: pg.Pool;
let keys: SubjectKeys;
let store: EventStore & StoredLog;
let feed: ReturnType<typeof longFeed>;

beforeEach(async () => {
  connectionString = await freshDatabase();
  pool = new pg.Pool({ connectionString, max: 2 });
  keys = postgresSubjectKeys(pool);
  store = await openPostgresEventStore({ connectionString, codec: eventCodec({ schemas, keys, now: () => at }) });
  feed = longFeed(store, { connectionString });
  for (let order = 0; order < 5; order++) {
    const events = orderEvents.map((eventOf) => eventOf(order, trade, at));
    await store.append(`order-${sampleOrderId(order)}`, NO_STREAM, events, command());
  }
});
afterEach(async () => {
  await feed.close();
  await store.close();
  await pool.end();
});

const metadataShown = ({ actor, eventId, commandId, correlationId, causationId, traceparent, recordedAt, version, hash }: EventMetadata) =>
  ({ actor, eventId, commandId, correlationId, causationId, traceparent, recordedAt, version, hash }); // prettier-ignore
const shown = (events: Awaited<ReturnType<EventStore['page']>>) =>
  events.map(({ stream, revision, position, type, data, metadata }) => {
    return { stream, revision, position, type, data, metadata: metadataShown(metadata) };
  });

describe('the feed for long logs', () => {
  test('gives the pages that the store gives', async () => {
    const pages = async (from: Pick<EventStore, 'page'>) => [
      ...shown(await from.page(START, 12, ['order'])),
      ...shown(await from.page((await from.page(START, 12, ['order'])).at(-1)?.position ?? START, 500, ['order'])),
    ];
    const given = await pages(feed);
    expect(given).toHaveLength(25);
    expect(given).toEqual(await pages(store));
    expect(await feed.page(START, 10, ['product'])).toEqual([]);
  });

  test('hands out what is read at once in small pages, each of which goes on after the one before', async () => {
    const [created] = orderEvents;
    for (let order = 5; created && order < 205; order++)
      await store.append(`order-${sampleOrderId(order)}`, NO_STREAM, [created(order, trade, at)], command());
    const given: LogPosition[][] = [];
    for (let after = START; ;) {
      const page = await feed.page(after, 500, ['order']);
      const last = page.at(-1);
      if (!last) break;
      given.push(page.map(({ position }) => position));
      after = last.position;
    }
    expect(given.map((page) => page.length)).toEqual([100, 100, 25]);
    expect(given.flat()).toEqual((await store.page(START, 500, ['order'])).map(({ position }) => position));
    const again = await feed.page(START, 3, ['order']);
    expect(again.map(({ position }) => position)).toEqual(given.flat().slice(0, 3));
  });

  test('gives what has come since it came to the end', async () => {
    const { position: end } = (await feed.page(START, 25, ['order'])).at(-1) ?? { position: START };
    expect(await feed.page(end, 10, ['order'])).toEqual([]);
    const [created] = orderEvents;
    if (created) await store.append(`order-${sampleOrderId(7)}`, NO_STREAM, [created(7, trade, at)], command());
    expect(await feed.page(end, 10, ['order'])).toHaveLength(1);
  });

  test('tells who acted, however their id is written', async () => {
    const id = 'Meera "Oud" Nair\\';
    const [created] = orderEvents;
    const stream = `order-${sampleOrderId(8)}` as const;
    if (created) await store.append(stream, NO_STREAM, [created(8, trade, at)], { ...command(), actor: { kind: 'user', id } });
    const page = await feed.page(START, 100, ['order']);
    expect(page.at(-1)?.metadata.actor).toEqual({ kind: 'user', id });
    expect(page.at(0)?.metadata.actor.kind).toBe('admin');
  });

  test('reads "erased" where the key of a person is gone', async () => {
    await keys.erase('meera');
    const [created] = await feed.page(START, 1, ['order']);
    expect(created?.data).toMatchObject({ shippingAddress: { name: 'erased', city: 'erased' } });
  });

  test('says of an event that it does not open, to whoever touches it', async () => {
    await pool.query(`update log.events set data = replace(data::text, '"$enc":"', '"$enc":"AAAA')::json where position = 1`);
    const [broken, placed] = await feed.page(START, 2, ['order']);
    expect(() => broken?.data).toThrow('does not open');
    expect(placed?.data).toMatchObject({ placedAt: at });
  });

  test('gives what a log in EventStoreDB has', async () => {
    const server = await startEventStoreDbDouble();
    const codec = eventCodec({ schemas, keys, now: () => at });
    const away = openEventStoreDb({ connectionString: server.connectionString, codec });
    for (const event of await store.page(START, 7, ['order']))
      await away.append(event.stream, { revision: event.revision - 1, hash: '' }, [event], command());
    const read = longFeed(away, { connectionString, eventStoreUrl: server.connectionString });
    const given = shown(await read.page(START, 5, ['order']));
    expect(given).toEqual(shown(await away.page(START, 5, ['order'])));
    expect(given.map(({ data }) => data)).toEqual((await store.page(START, 5, ['order'])).map(({ data }) => data));
    await read.close();
    await away.close();
    server.close();
  });

  test('fails when the log cannot be read, and when its thread has ended', async () => {
    const away = longFeed(store, { connectionString: 'postgres://nobody@127.0.0.1:9/nowhere' });
    await expect(away.page(START, 10, ['order'])).rejects.toThrow(EventStoreUnavailable);
    await away.close();
    await expect(away.page(START, 10, ['order'])).rejects.toThrow('has ended');
  });

  test('leaves nobody waiting who asked before it was closed', async () => {
    const asked = feed.page(START, 10, ['order']).then(
      (page) => page.length,
      (error: Error) => error.message,
    );
    await feed.close();
    expect([10, 'The reading thread has ended']).toContain(await asked);
  });
});
