import type { EventStore, StreamName } from '#domain/event-store.ts';
import type { DomainEvent } from '#domain/shared/decider.ts';

import type { StoredLog } from '../../../event-store/stored-event.ts';
import { memoryEventStore } from '../../../event-store/testing/memory-event-store.ts';
import { command } from '../../../event-store/testing/writing.ts';

export type Appended = readonly [StreamName, ...DomainEvent[]];

/** Returns a store in memory to which these events were appended, one stream after the other. */
export const storeWith = async (...all: readonly Appended[]): Promise<EventStore & StoredLog> => {
  const store = memoryEventStore();
  for (const [stream, ...events] of all) await store.append(stream, (await store.read(stream)).head, events, command());
  return store;
};
