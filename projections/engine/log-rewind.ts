import { START, type Feed, type LogPosition, type Recorded, type Revision, type StreamName, type Streams } from '#domain/event-store.ts';

import { LogRewound } from './failures.ts';
import type { Projector } from './define-projector.ts';

/** The log as a projector or a reaction reads it: in order, and stream by stream. */
export type ReadableLog = Feed & Pick<Streams, 'read'>;

/** The event that a checkpoint stands at. Stream and revision are unknown at the beginning, and where an older release wrote the checkpoint. */
export type CheckpointEvent = {
  readonly position: LogPosition;
  readonly eventId: string;
  readonly stream?: StreamName | undefined;
  readonly revision?: Revision | undefined;
};

/** What a checkpoint knows an event by. One whose metadata cannot be read must be passed too, and is known by its place in its stream. */
export const eventKey = (event: Recorded): string => {
  try {
    return event.metadata.eventId;
  } catch {
    return `${event.stream}:${event.revision}`;
  }
};

/** Where a checkpoint stands after this event. */
export const asCheckpointEvent = (event: Recorded): CheckpointEvent & { readonly stream: StreamName; readonly revision: number } => ({
  position: event.position,
  eventId: eventKey(event),
  stream: event.stream,
  revision: event.revision,
});

/**
 * The event that a checkpoint stands at, as the log has it now. It is asked of its stream: not every store can say what is at a position
 * that was an event's before an older backup was restored.
 */
const eventAt = async (
  log: Pick<ReadableLog, 'at' | 'read'>,
  { position, eventId, stream, revision }: CheckpointEvent,
): Promise<Recorded | undefined> => {
  if (stream === undefined || revision === undefined) return log.at(position);
  const { events } = await log.read(stream, { revision: revision - 1, hash: '' });
  const event: Recorded | undefined = events[0];
  // An older release moves the checkpoint without its stream and revision, which are then those of an earlier event.
  const isEarlier = event !== undefined && event.position < position && eventKey(event) !== eventId;
  return isEarlier ? log.at(position) : event;
};

/** Whether the log no longer holds the event that the checkpoint stands at: another one, or none, is in its place. */
export const isRewound = async (log: Pick<ReadableLog, 'at' | 'read'>, place: CheckpointEvent): Promise<boolean> => {
  if (place.position === START) return false;
  const event = await eventAt(log, place);
  return !event || event.position !== place.position || eventKey(event) !== place.eventId;
};

/** Throws `LogRewound` rather than apply a history that the read model was not built from. */
export const assertNotRewound = async (log: ReadableLog, { name, version }: Projector, checkpoint: CheckpointEvent): Promise<void> => {
  if (await isRewound(log, checkpoint)) throw new LogRewound(name, version, checkpoint.position);
};
