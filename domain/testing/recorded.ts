import { logPosition, type Recorded, type StreamName } from '../event-store.ts';
import type { DomainEvent } from '../shared/decider.ts';
import { openingDay } from './products.ts';

/** Returns these events of a stream as the log returns them, written by the admin Meera on the opening day. */
export const recorded = <Event extends DomainEvent>(stream: StreamName, events: readonly Event[]): readonly Recorded<Event>[] =>
  events.map((event, revision) => {
    const command = { commandId: 'c', correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } } as const;
    const metadata = { ...command, eventId: `${revision}`, version: 1, hash: '', recordedAt: openingDay };
    return { ...event, stream, revision, position: logPosition(BigInt(revision + 1)), metadata } as unknown as Recorded<Event>;
  });
