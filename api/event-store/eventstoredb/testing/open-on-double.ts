import { afterAll, afterEach } from 'vitest';
import type { EventStore } from '#domain/event-store.ts';
import type { StoredLog } from '../../stored-event.ts';
import { shopCodec } from '../../testing/test-codec.ts';
import { openEventStoreDb, type EventStoreDbOptions } from '../eventstoredb-event-store.ts';
import { startEventStoreDbDouble } from './eventstoredb-double.ts';

/** Starts a server for the tests of a file. The stores that a test opens on it are closed after the test. */
export const startServerForFile = async () => {
  const codec = shopCodec();
  const server = await startEventStoreDbDouble();
  const opened: (EventStore & StoredLog)[] = [];
  afterAll(server.close);
  afterEach(async () => {
    server.become('well');
    server.searchFor(0);
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  const openStore = (options: Partial<EventStoreDbOptions> = {}) => {
    const store = openEventStoreDb({ connectionString: server.connectionString, codec, answerWithin: 20_000, watchEvery: 50, ...options });
    opened.push(store);
    return store;
  };
  return { server, openStore };
};
