import {
  START,
  StreamIncomplete,
  type Feed,
  type LogPosition,
  type Recorded,
  type Revision,
  type StreamName,
  type Streams,
} from '#domain/event-store.ts';

import { LogRewound } from './failures.ts';

export type ReadableLog = Feed & Pick<Streams, 'read'>;

/** Stream and revision are missing before the first event. */
export type CheckpointEvent = {
  readonly position: LogPosition;
  readonly eventId: string;
  readonly stream?: StreamName | undefined;
  readonly revision?: Revision | undefined;
};

/** Returns the id by which a checkpoint recognises an event: its event id, or stream and revision if its metadata cannot be read. */
export const eventKey = (event: Recorded): string => {
  try {
    return event.metadata.eventId;
  } catch {
    return `${event.stream}:${event.revision}`;
  }
};

export const asCheckpointEvent = (event: Recorded): CheckpointEvent & { readonly stream: StreamName; readonly revision: number } => ({
  position: event.position,
  eventId: eventKey(event),
  stream: event.stream,
  revision: event.revision,
});

/** Reads the event from its stream: after a restore not every store can tell what is at a position that no longer exists. */
const eventAt = async (
  log: Pick<ReadableLog, 'at' | 'read'>,
  { position, stream, revision }: CheckpointEvent,
): Promise<Recorded | undefined> => {
  if (stream === undefined || revision === undefined) return undefined;
  try {
    return (await log.read(stream, { revision: revision - 1, hash: '' })).events[0];
  } catch (error) {
    if (!(error instanceof StreamIncomplete)) throw error;
    return log.at(position);
  }
};

/** Returns whether the log has no event or another event at the checkpoint. */
export const isRewound = async (log: Pick<ReadableLog, 'at' | 'read'>, place: CheckpointEvent): Promise<boolean> => {
  if (place.position === START) return false;
  const event = await eventAt(log, place);
  return !event || event.position !== place.position || eventKey(event) !== place.eventId;
};

/** Throws `LogRewound` if the read model was built from another log than this one. */
export const assertNotRewound = async (
  log: ReadableLog,
  { name, version }: { readonly name: string; readonly version: number },
  checkpoint: CheckpointEvent,
): Promise<void> => {
  if (await isRewound(log, checkpoint)) throw new LogRewound(name, version, checkpoint.position);
};
