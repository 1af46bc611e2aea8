import { readUnlessCut, type Recorded, type StreamName, type Streams } from '#domain/event-store.ts';

import { parkedEvent } from './applier.ts';
import { isMadeBy, streamId, type Projector } from './define-projector.ts';
import { RefusedValues } from '../follower/failures.ts';
import { Fold } from './fold.ts';
import type { RowChanges, Commit, CheckpointState, ReadModelStorage } from './read-model-storage.ts';
import type { TableSet } from './table-set.ts';

/** Applies the first `most` events of a stream and parks the others, because a later one leads to a refused row. */
type Limit = { readonly most: number; readonly refusal?: unknown };

/** Replaces the rows of a stream by those from its first event on. An event that fails is parked with all later ones. */
export const reprojectionCommit = (
  projector: Projector,
  stream: StreamName,
  events: readonly Recorded[],
  { most, refusal }: Limit = { most: Infinity },
): Commit => {
  const fold = new Fold(projector);
  // Before the first event of the stream it has no rows.
  fold.load(fold.missingKeys(events), new Map());
  let failure = refusal;
  let applied = 0;
  try {
    for (const event of events.slice(0, most)) {
      fold.apply(event);
      applied++;
    }
  } catch (error) {
    failure = error;
  }
  const parked = events.slice(applied).map((event) => parkedEvent(event, failure));
  const own = Object.entries(projector.tables).filter(([, spec]) => isMadeBy(spec, stream));
  const changes = own.map(([name]): [string, RowChanges] => {
    const { upserts: put } = fold.changes(name);
    return [name, { upserts: put, deletes: put.length > 0 ? [] : [streamId(stream)] }];
  });
  return { changes: new Map(changes), parked, unknown: 0, reprojected: stream };
};

/** Reprojects the queued streams, each in a transaction that locks the checkpoint. */
export const reprojectQueued = async (storage: ReadModelStorage, tableSet: TableSet, log: Pick<Streams, 'read'>): Promise<void> => {
  let limit: Limit = { most: Infinity };
  for (let isDone = false; !isDone;) {
    let count = 0;
    try {
      isDone = await storage.locked(tableSet, async (state, locked) => {
        if (state.queuedStream === undefined) return true;
        const { events } = await readUnlessCut(log, state.queuedStream);
        const known = (events as readonly Recorded[]).filter(({ position }) => position <= state.position);
        count = known.length;
        await locked.commit(tableSet, state, reprojectionCommit(tableSet.projector, state.queuedStream, known, limit));
        return false;
      });
      limit = { most: Infinity };
    } catch (error) {
      // The storage refused a row: the loop tries again with fewer events.
      if (!(error instanceof RefusedValues) || limit.most === 0) throw error;
      limit = { most: Math.min(limit.most, count) - 1, refusal: error };
    }
  }
};

/**
 * Claims the lease after queued streams are reprojected, so that events find all rows that they read. A stream queued later raises the
 * epoch.
 */
export const claimUpToDate = async (
  storage: ReadModelStorage,
  tableSet: TableSet,
  holder: string,
  log: Pick<Streams, 'read'>,
): Promise<CheckpointState | undefined> => {
  for (;;) {
    const state = await storage.claim(tableSet, holder);
    if (state?.queuedStream === undefined) return state;
    await reprojectQueued(storage, tableSet, log);
  }
};
