import { logPosition, type Feed, type Recorded, type StreamName } from '#domain/event-store.ts';

import { parkedEvent } from '../engine/applier.ts';
import type { ReadDatabase } from '../database.ts';
import { LogRewound, RefusedValues } from '../follower/failures.ts';
import { Fold } from '../engine/fold.ts';
import type { Projector } from '../engine/define-projector.ts';
import { createTableSet, type TableSet } from '../engine/table-set.ts';
import { selectParked } from './status.ts';
import type { ParkedEvent, ReadModelStorage } from '../engine/read-model-storage.ts';

/** A retry results in the number of events applied for a stream, and in where it stopped if one failed again. */
export type RetriedStream = {
  readonly stream: StreamName;
  readonly applied: number;
  readonly stoppedAt?: { position: string; error: string };
};

/** Reads the first parked event of a stream from the log, because only its position is stored. */
const firstParked = async (
  projector: Projector,
  feed: Feed,
  { db }: Pick<ReadDatabase, 'db'>,
  stream: StreamName,
): Promise<Recorded | undefined> => {
  const first = await selectParked(db, projector).where('stream', '=', stream).orderBy('position').limit(1).executeTakeFirst();
  if (!first) return undefined;
  const position = logPosition(first.position);
  const event = await feed.at(position);
  if (!event) throw new LogRewound(projector.name, projector.version, position);
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
  projector: Projector,
  feed: Feed,
  database: Pick<ReadDatabase, 'db' | 'storage'>,
  stream: StreamName,
): Promise<RetriedStream> => {
  for (let applied = 0; ; applied++) {
    const event = await firstParked(projector, feed, database, stream);
    if (!event) return { stream, applied };
    const again = await applyParked(database.storage, createTableSet(projector, 'live'), event);
    if (again) return { stream, applied, stoppedAt: { position: String(event.position), error: again.error } };
  }
};

/**
 * Applies the parked events of a read model to its live tables, each stream in order, after a projector was fixed. A stream that fails
 * again stays parked from that event on. Yields a result for each stream, in the order in which they were parked.
 */
export async function* retryParked(
  projector: Projector,
  feed: Feed,
  database: Pick<ReadDatabase, 'db' | 'storage'>,
): AsyncGenerator<RetriedStream> {
  const parked = await selectParked(database.db, projector)
    .clearSelect()
    .select('stream')
    .groupBy('stream')
    .orderBy(({ fn }) => fn.min('position'))
    .execute();
  for (const { stream } of parked) yield await drainStream(projector, feed, database, stream);
}
