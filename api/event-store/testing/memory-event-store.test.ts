import { describeEventStore, describeHashCheck } from './event-store-contract.ts';
import { memoryEventStore } from './memory-event-store.ts';

const store = memoryEventStore();
describeEventStore('the event store in memory', async () => store);
describeHashCheck('the event store in memory', async () => store);
