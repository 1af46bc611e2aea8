import { WrongRevision, type Appended, type Revision, type StreamHead, type StreamName } from '#domain/event-store.ts';
import { headOf } from './chain.ts';
import type { SealedEvent, StoredEvent } from './stored-event.ts';

/**
 * What became of an append whose stream did not end where it was expected: when the events after that place are these very
 * ones, the same command was here before, and this is the answer that it got. Throws `WrongRevision` otherwise.
 */
export const earlierAnswer = (
  stream: StreamName,
  expected: StreamHead,
  events: readonly SealedEvent[],
  there: readonly StoredEvent[],
  actual: Revision,
): Appended => {
  const last = there.at(-1);
  const isRetry = last !== undefined && events.every((event, index) => event.eventId === there[index]?.eventId);
  if (!isRetry) throw new WrongRevision(stream, expected.revision, actual);
  return { position: last.position, head: headOf(there) };
};
