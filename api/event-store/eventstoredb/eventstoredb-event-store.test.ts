import { afterAll } from 'vitest';
import { describeEventStore } from '../contract.ts';
import { openEventStoreDb } from './eventstoredb-event-store.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { realEventStoreDb } from './testing/real-eventstoredb.ts';

const codec = shopCodec();
const double = await startEventStoreDbDouble();
afterAll(double.close);

describeEventStore('the event store on a double of EventStoreDB', async () =>
  openEventStoreDb({ connectionString: double.connectionString, codec }),
);

const connectionString = await realEventStoreDb();
if (connectionString) {
  // The server may be shared: every run has its own streams.
  const streamPrefix = `run-${crypto.randomUUID()}-`;
  describeEventStore('the event store on EventStoreDB', async () => openEventStoreDb({ connectionString, codec, streamPrefix }));
}
