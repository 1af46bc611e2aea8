import { afterAll } from 'vitest';
import { describeEventStore, describeHashCheck } from '../testing/event-store-contract.ts';
import { openEventStoreDb } from './eventstoredb-event-store.ts';
import { shopCodec } from '../testing/test-codec.ts';
import { startEventStoreDbDouble } from './testing/eventstoredb-double.ts';
import { startRealEventStoreDb } from './testing/real-eventstoredb.ts';

const codec = shopCodec();
const double = await startEventStoreDbDouble();
afterAll(double.close);

const openOnDouble = async () => openEventStoreDb({ connectionString: double.connectionString, codec });
describeEventStore('the event store on a double of EventStoreDB', openOnDouble);
describeHashCheck('the event store on a double of EventStoreDB', openOnDouble);

const real = await startRealEventStoreDb();
if (real) {
  afterAll(real.stop);
  const { connectionString } = real;
  // The server may be shared, so every run has its own streams.
  const streamPrefix = `run-${crypto.randomUUID()}-`;
  const openOnServer = async () => openEventStoreDb({ connectionString, codec, streamPrefix });
  describeEventStore('the event store on EventStoreDB', openOnServer);
  describeHashCheck('the event store on EventStoreDB', openOnServer);
}
