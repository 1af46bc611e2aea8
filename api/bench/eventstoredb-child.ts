import { startEventStoreDbDouble } from '../event-store/testing/eventstoredb-double.ts';

/** The double of EventStoreDB in a process of its own, as a server is. */
const { connectionString } = await startEventStoreDbDouble();
process.send?.(connectionString);
process.once('disconnect', () => process.exit());
