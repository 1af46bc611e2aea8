import { START, type Feed, type Recorded } from '#domain/event-store.ts';

import type { Checkpoint } from './checkpoint.ts';
import { LogRewound } from './failures.ts';
import type { Projector } from './projector.ts';

/** What a checkpoint knows an event by. One whose metadata cannot be read must be passed too, and is known by its place in its stream. */
export const identityOf = (event: Recorded): string => {
  try {
    return event.metadata.eventId;
  } catch {
    return `${event.stream}:${event.revision}`;
  }
};

/** Whether the log no longer holds the event that the checkpoint stands at: another one, or none, is in its place. */
export const isRewound = async (feed: Feed, { position, eventId }: Pick<Checkpoint, 'position' | 'eventId'>): Promise<boolean> => {
  if (position === START) return false;
  const event = await feed.at(position);
  return !event || identityOf(event) !== eventId;
};

/** Throws `LogRewound` rather than apply a history that the read model was not built from. */
export const refuseRewound = async (feed: Feed, { name, version }: Projector, checkpoint: Checkpoint): Promise<void> => {
  if (await isRewound(feed, checkpoint)) throw new LogRewound(name, version, checkpoint.position);
};
