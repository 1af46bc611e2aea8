import { logPosition, type Feed, type LogPosition, type Recorded, type StreamName } from '#domain/event-store.ts';

import { parkingOf } from './applier.ts';
import type { ReadDatabase } from './database.ts';
import { LogRewound, RefusedValues } from './failures.ts';
import { Fold } from './fold.ts';
import type { Projector } from './projector.ts';
import { slotOf, type Slot } from './slot.ts';
import type { Parking, ReadModelStorage } from './storage.ts';

/** How a retry ended for one stream: all its events applied, or stopped again at one of them. */
export type Drained = { readonly stream: StreamName; readonly applied: number; readonly stoppedAt?: { position: string; error: string } };

/** Parked events of a stream that are applied in one transaction. */
const BATCH = 500;

const parkedOf = async ({ pool }: Pick<ReadDatabase, 'pool'>, { name, version }: Projector, stream: StreamName): Promise<LogPosition[]> => {
  const { rows } = await pool.query<{ position: bigint }>(
    `select position from read.parked where model = $1 and version = $2 and slot = 'live' and stream = $3 order by position limit ${BATCH}`,
    [name, version, stream],
  );
  return rows.map(({ position }) => logPosition(position));
};

/** The events themselves, out of the log: what is parked is only where they stand. Few and rarely asked for, so one by one. */
const eventsAt = async (feed: Feed, { name, version }: Projector, positions: readonly LogPosition[]): Promise<Recorded[]> => {
  const events: Recorded[] = [];
  for (const position of positions) {
    const event = await feed.at(position);
    if (!event) throw new LogRewound(name, version, position);
    events.push(event);
  }
  return events;
};

/** Applies parked events up to the first that fails, in one transaction that the slot's holder waits for. Throws `RefusedValues`. */
const applyParked = (storage: ReadModelStorage, slot: Slot, events: readonly Recorded[]): Promise<{ applied: number; again?: Parking }> =>
  storage.locked(slot, async (held, locked) => {
    const fold = new Fold(slot.projector);
    const unknown = fold.unknownKeys(events);
    fold.learn(unknown, await locked.load(slot, unknown));
    const unparked: LogPosition[] = [];
    let again: Parking | undefined;
    for (const event of events) {
      try {
        fold.apply(event);
        unparked.push(event.position);
      } catch (error) {
        again = parkingOf(event, error);
        break;
      }
    }
    await locked.commit(slot, held, { ...fold.take(), parkings: again ? [again] : [], unparked });
    return { applied: unparked.length, ...(again && { again }) };
  });

/** Parks it again, for what is in its way now. */
const parkAgain = (storage: ReadModelStorage, slot: Slot, parking: Parking): Promise<unknown> =>
  storage.locked(slot, (held, locked) => locked.commit(slot, held, { changes: new Map(), parkings: [parking], unknown: 0 }));

/** All at once or, where the rows of one are refused, one by one. */
const drainBatch = async (storage: ReadModelStorage, slot: Slot, events: readonly Recorded[]) => {
  try {
    return await applyParked(storage, slot, events);
  } catch (error) {
    if (!(error instanceof RefusedValues)) throw error;
  }
  for (const [applied, event] of events.entries()) {
    try {
      const { again } = await applyParked(storage, slot, [event]);
      if (again) return { applied, again };
    } catch (error) {
      if (!(error instanceof RefusedValues)) throw error;
      const again = parkingOf(event, error);
      await parkAgain(storage, slot, again);
      return { applied, again };
    }
  }
  return { applied: events.length };
};

/**
 * Applies the parked events of a read model, each stream in order, to the live tables: after a fix of the projector. A stream that
 * fails again stays parked from there on. Answers for one stream after the other, in the order in which they were parked.
 */
export async function* retryParked(
  projector: Projector,
  feed: Feed,
  database: Pick<ReadDatabase, 'pool' | 'storage'>,
): AsyncGenerator<Drained> {
  const { rows } = await database.pool.query<{ stream: StreamName }>(
    `select stream from read.parked where model = $1 and version = $2 and slot = 'live' group by stream order by min(position)`,
    [projector.name, projector.version],
  );
  for (const { stream } of rows) yield await drainStream(projector, feed, database, stream);
}

const drainStream = async (
  projector: Projector,
  feed: Feed,
  database: Pick<ReadDatabase, 'pool' | 'storage'>,
  stream: StreamName,
): Promise<Drained> => {
  for (let done = 0; ;) {
    const events = await eventsAt(feed, projector, await parkedOf(database, projector, stream));
    if (events.length === 0) return { stream, applied: done };
    const { applied, again } = await drainBatch(database.storage, slotOf(projector, 'live'), events);
    done += applied;
    if (again) return { stream, applied: done, stoppedAt: { position: String(again.event.position), error: again.error } };
  }
};
