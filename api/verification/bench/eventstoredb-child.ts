import { startEventStoreDbDouble } from '../../event-store/eventstoredb/testing/eventstoredb-double.ts';

/** In a process of its own, like a server. */
const { connectionString } = await startEventStoreDbDouble();
process.send?.(connectionString);
process.once('disconnect', () => process.exit());
