import { startEventStoreDbDouble } from '../../event-store/eventstoredb/testing/eventstoredb-double.ts';

/** The test double of EventStoreDB in a separate process, like a server. */
const { connectionString } = await startEventStoreDbDouble();
process.send?.(connectionString);
process.once('disconnect', () => process.exit());
