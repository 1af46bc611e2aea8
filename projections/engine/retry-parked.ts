import type { Feed, Recorded, StreamName } from '#domain/event-store.ts';

import { parkedEvent } from './applier.ts';
import { LogRewound, RefusedValues } from '../follower/failures.ts';
import { Fold } from './fold.ts';
import type { Projector } from './define-projector.ts';
import { createTableSet, type TableSet } from './table-set.ts';
import type { ParkedEvent, ReadModelStorage } from './read-model-storage.ts';

/** A retry results in the number of events applied for a stream, and in where it stopped if one failed again. */
export type RetriedStream = {
  readonly stream: StreamName;
  readonly applied: number;
  readonly stoppedAt?: { position: string; error: string };
};

/** Reads the first parked event of a stream from the log, because only its position is stored. */
const firstParked = async (
  storage: ReadModelStorage,
  feed: Pick<Feed, 'at'>,
  tableSet: TableSet,
  stream: StreamName,
): Promise<Recorded | undefined> => {
  const position = await storage.firstParked(tableSet, stream);
  if (position === undefined) return undefined;
  const event = await feed.at(position);
  if (!event) throw new LogRewound(tableSet.projector.name, tableSet.projector.version, position);
  return event;
};

/** Applies a parked event. Returns it with its new error if it fails again. Throws `Superseded` when it is no longer parked. */
const applyParked = async (storage: ReadModelStorage, tableSet: TableSet, event: Recorded): Promise<ParkedEvent | undefined> => {
  const fold = new Fold(tableSet.projector);
  try {
    await storage.locked(tableSet, async (state, locked) => {
      const unknown = fold.missingKeys([event]);
      fold.load(unknown, await locked.load(tableSet, unknown));
      try {
        fold.apply(event);
      } catch (error) {
        throw new RefusedValues(error);
      }
      await locked.commit(tableSet, state, { ...fold.takeChanges(), parked: [], unparked: event.position });
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedValues)) throw error;
    const again = parkedEvent(event, error);
    await storage.locked(tableSet, (state, locked) => locked.commit(tableSet, state, { changes: new Map(), parked: [again], unknown: 0 }));
    return again;
  }
};

const drainStream = async (
  storage: ReadModelStorage,
  feed: Pick<Feed, 'at'>,
  tableSet: TableSet,
  stream: StreamName,
): Promise<RetriedStream> => {
  for (let applied = 0; ; applied++) {
    const event = await firstParked(storage, feed, tableSet, stream);
    if (!event) return { stream, applied };
    const again = await applyParked(storage, tableSet, event);
    if (again) return { stream, applied, stoppedAt: { position: String(event.position), error: again.error } };
  }
};

/**
 * Applies the parked events of a read model to its live tables, each stream in order: the projector was fixed, or only a newer release can
 * read them. A stream that fails again stays parked from that event on. Yields a result for each stream, in the order in which they were
 * parked.
 */
export async function* retryParked(projector: Projector, feed: Pick<Feed, 'at'>, storage: ReadModelStorage): AsyncGenerator<RetriedStream> {
  const tableSet = createTableSet(projector, 'live');
  for (const stream of await storage.parkedStreams(tableSet)) yield await drainStream(storage, feed, tableSet, stream);
}
