import type pg from 'pg';

import { logPosition, type Feed, type Recorded, type StreamName } from '#domain/event-store.ts';

import { Application } from './apply.ts';
import { inTransaction, lockCheckpoint, NOTIFY_PROGRESS } from './checkpoint.ts';
import type { ReadDatabase } from './database.ts';
import { LogRewound } from './failures.ts';
import type { Projector } from './projector.ts';
import { slotOf, type Slot } from './slot.ts';

/** How a retry ended for one stream: all its events applied, or stopped again at one of them. */
export type Drained = { readonly stream: StreamName; readonly applied: number; readonly stoppedAt?: { position: string; error: string } };

/** Events of a stream that are applied in one transaction. */
const BATCH = 500;

const parkedOf = async (client: pg.ClientBase, { projector }: Slot, stream: StreamName): Promise<bigint[]> => {
  const { rows } = await client.query<{ position: bigint }>(
    `select position from read.parked where model = $1 and version = $2 and slot = 'live' and stream = $3 order by position limit ${BATCH}`,
    [projector.name, projector.version, stream],
  );
  return rows.map(({ position }) => position);
};

/** The events themselves, out of the log: what is parked is only where they stand. Few and rarely asked for, so one by one. */
const eventsAt = async (feed: Feed, { name, version }: Projector, positions: readonly bigint[]): Promise<Recorded[]> => {
  const events: Recorded[] = [];
  for (const position of positions) {
    const event = await feed.at(logPosition(position));
    if (!event) throw new LogRewound(name, version, logPosition(position));
    events.push(event);
  }
  return events;
};

/** Applies parked events of a stream up to the first that fails again, in one transaction that the live slot's holder waits for. */
const drainBatch = (client: pg.ClientBase, slot: Slot, events: readonly Recorded[]): Promise<Application> =>
  inTransaction(client, async () => {
    const { name, version } = slot.projector;
    await lockCheckpoint(client, slot);
    const application = new Application(client, slot, new Set());
    await application.oneByOne(events);
    const applied = events.slice(0, events.length - application.parkings.length).map(({ position }) => position);
    await client.query(`delete from read.parked where model = $1 and version = $2 and slot = 'live' and position = any($3)`, [
      name,
      version,
      applied,
    ]);
    const [again] = application.parkings;
    if (again)
      await client.query(`update read.parked set error = $4 where model = $1 and version = $2 and slot = 'live' and position = $3`, [
        name,
        version,
        again.event.position,
        again.error,
      ]);
    await client.query(
      `with moved as (
         update read.checkpoints set epoch = epoch + 1 where model = $1 and version = $2 and slot = 'live' returning *
       ) select ${NOTIFY_PROGRESS} from moved`,
      [name, version],
    );
    return application;
  });

const drainStream = async (client: pg.ClientBase, slot: Slot, feed: Feed, stream: StreamName): Promise<Drained> => {
  for (let applied = 0; ;) {
    const events = await eventsAt(feed, slot.projector, await parkedOf(client, slot, stream));
    if (events.length === 0) return { stream, applied };
    const { parkings } = await drainBatch(client, slot, events);
    applied += events.length - parkings.length;
    const [again] = parkings;
    if (again) return { stream, applied, stoppedAt: { position: String(again.event.position), error: again.error } };
  }
};

/**
 * Applies the parked events of a read model, each stream in order, to the live tables: after a fix of the projector. A stream that
 * fails again stays parked from there on. Answers for one stream after the other, in the order in which they were parked.
 */
export async function* retryParked(projector: Projector, feed: Feed, { pool }: ReadDatabase): AsyncGenerator<Drained> {
  const slot = slotOf(projector, 'live');
  const client = await pool.connect();
  let failed = true;
  try {
    const { rows } = await client.query<{ stream: StreamName }>(
      `select stream from read.parked where model = $1 and version = $2 and slot = 'live' group by stream order by min(position)`,
      [projector.name, projector.version],
    );
    for (const { stream } of rows) yield await drainStream(client, slot, feed, stream);
    failed = false;
  } finally {
    client.release(failed);
  }
}
