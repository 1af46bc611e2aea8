import type pg from 'pg';

import type { LogPosition, Recorded, StreamName } from '#domain/event-store.ts';

import { inTransaction, lockHeld, moveCheckpoint, type Held } from './checkpoint.ts';
import { isCausedByValues, messageOf } from './failures.ts';
import { Fold, type KeysRead } from './fold.ts';
import { RecentRows } from './recent-rows.ts';
import { loadRows, writeChanges } from './rows.ts';
import { identityOf } from './rewound.ts';
import { writeAtOnce } from './write-at-once.ts';
import type { Slot } from './slot.ts';

const LONGEST_ERROR = 2_000;
const BEHIND = 'An earlier event of its stream is parked';

/** An event that could not be applied, or that stands behind one in its stream. */
export type Parking = { readonly event: Recorded; readonly error: string };

/** Whether an event is parked for what stands before it, and not for itself. */
export const isBehind = ({ error }: Parking): boolean => error === BEHIND;

/** Applies events one after the other, leaving out those of stalled streams; a stream stalls at the first event that fails. */
export class Application {
  readonly parkings: Parking[] = [];
  readonly stalled: Set<StreamName>;
  unknown = 0;

  constructor(
    readonly client: pg.ClientBase,
    readonly slot: Slot,
    stalled: ReadonlySet<StreamName>,
    /** What must have been written before anything is read. */
    readonly written: () => Promise<void> = async () => {},
  ) {
    this.stalled = new Set(stalled);
  }

  park(event: Recorded, error: unknown): void {
    // The message may quote the event, and with it the very character that the database refuses.
    this.parkings.push({ event, error: messageOf(error).replaceAll('\0', '').slice(0, LONGEST_ERROR) });
    this.stalled.add(event.stream);
  }

  /** Parks the event, and says so, if its stream is stalled. */
  parkIfStalled(event: Recorded): boolean {
    const stalled = this.stalled.size > 0 && this.stalled.has(event.stream);
    if (stalled) this.park(event, BEHIND);
    return stalled;
  }

  /** Folds the events, once the rows that they read are there, and parks those that fail and those behind them. */
  async fold(fold: Fold, events: readonly Recorded[], recent?: RecentRows): Promise<void> {
    const moving = this.stalled.size === 0 ? events : events.filter((event) => !this.parkIfStalled(event));
    const keys = fold.keysOf(moving);
    recent?.teach(fold, moving, keys);
    await this.#load(fold, keys);
    for (const [index, event] of moving.entries()) {
      if (this.parkIfStalled(event)) continue;
      try {
        fold.apply(event, keys[index]);
      } catch (error) {
        this.park(event, error);
      }
    }
  }

  /** Reads what the fold does not know: a statement a table. */
  async #load(fold: Fold, read: readonly KeysRead[]): Promise<void> {
    const unknown = fold.unknownKeys(read);
    for (const table of this.slot.tables) {
      const keys = unknown.get(table.name) ?? [];
      if (keys.length === 0) continue;
      await this.written();
      fold.learn(table.name, keys, await loadRows(this.client, table, keys));
    }
  }

  async #write(fold: Fold): Promise<void> {
    for (const table of this.slot.tables) await writeChanges(this.client, table, fold.changes(table.name));
    this.unknown += fold.unknown;
  }

  /** All events in one fold: a statement or two a table. Throws when the database refuses a value, whoever's it is. */
  async inOne(events: readonly Recorded[]): Promise<void> {
    const fold = new Fold(this.slot.projector);
    await this.fold(fold, events);
    await this.#write(fold);
  }

  /** Each event by itself, so that one whose values the database refuses is found and the others stay. */
  async oneByOne(events: readonly Recorded[]): Promise<void> {
    for (const event of events) {
      if (this.parkIfStalled(event)) continue;
      await this.client.query('savepoint event');
      const single = new Application(this.client, this.slot, this.stalled);
      try {
        await single.inOne([event]);
        for (const { error } of single.parkings) this.park(event, error);
        this.unknown += single.unknown;
      } catch (error) {
        if (!isCausedByValues(error)) throw error;
        await this.client.query('rollback to savepoint event');
        this.park(event, error);
      }
      await this.client.query('release savepoint event');
    }
  }
}

/** Parks events, so that they can be found and tried again. */
export const writeParkings = async (client: pg.ClientBase, { projector, name }: Slot, parkings: readonly Parking[]): Promise<void> => {
  if (parkings.length === 0) return;
  await client.query(
    `insert into read.parked (model, version, slot, position, stream, event_id, error)
     select $1, $2, $3, * from unnest($4::numeric[], $5::text[], $6::text[], $7::text[])`,
    [
      projector.name,
      projector.version,
      name,
      parkings.map(({ event }) => event.position),
      parkings.map(({ event }) => event.stream),
      parkings.map(({ event }) => identityOf(event)),
      parkings.map(({ error }) => error),
    ],
  );
};

type Mode = 'inOne' | 'oneByOne';
export type Applied = { readonly held: Held; readonly parkings: readonly Parking[]; readonly unknown: number };

/** Applies events within the transaction of the caller, who has locked the checkpoint. Each is new to the slot, in log order. */
export const applyWithin = async (
  client: pg.ClientBase,
  slot: Slot,
  held: Held,
  events: readonly Recorded[],
  mode: Mode,
): Promise<Applied> => {
  const last = events.at(-1);
  if (!last) return { held, parkings: [], unknown: 0 };
  const application = new Application(client, slot, held.parked);
  await application[mode](events);
  const { parkings, unknown, stalled } = application;
  await writeParkings(client, slot, parkings);
  const moved = { position: last.position, eventId: identityOf(last) };
  await moveCheckpoint(client, slot, held, { ...moved, unknown });
  return { held: { ...held, ...moved, parked: stalled }, parkings, unknown };
};

/** The usual case, without a transaction around it: no event fails, and nobody else is at the slot. Otherwise undefined, and nothing was written. */
const applyAtOnce = async (
  client: pg.ClientBase,
  slot: Slot,
  held: Held,
  events: readonly Recorded[],
  recent: RecentRows,
): Promise<Applied | undefined> => {
  const last = events.at(-1);
  const fold = new Fold(slot.projector);
  const application = new Application(client, slot, held.parked);
  await application.fold(fold, events, recent);
  if (!last || application.parkings.length > 0) return undefined;
  const moved = await writeAtOnce(client, slot, held, fold, last);
  if (!moved) return undefined;
  for (const table of slot.tables) recent.keep(table, fold.changes(table.name));
  return { held: moved, parkings: [], unknown: fold.unknown };
};

/** The events after this position: what was delivered before is not applied again. */
const newerThan = (position: LogPosition, page: readonly Recorded[]): readonly Recorded[] => {
  const [first] = page;
  return first && first.position > position ? page : page.filter((event) => event.position > position);
};

/**
 * Applies a page of the log to a slot: rows, parked events and checkpoint in one transaction, events already applied left out.
 * What it reads and writes is remembered in `recent` for the next page. Throws `Superseded` when the slot is not as `held` says; then
 * nothing was written.
 */
export const applyPage = async (
  client: pg.ClientBase,
  slot: Slot,
  held: Held,
  page: readonly Recorded[],
  recent = new RecentRows(),
): Promise<Applied> => {
  const events = newerThan(held.position, page);
  if (events.length === 0) return { held, parkings: [], unknown: 0 };
  const attempt = (mode: Mode) => {
    recent.forget();
    return inTransaction(client, async () => {
      await lockHeld(client, slot, held);
      return applyWithin(client, slot, held, events, mode);
    });
  };
  try {
    return (await applyAtOnce(client, slot, held, events, recent)) ?? (await attempt('inOne'));
  } catch (error) {
    if (!isCausedByValues(error)) throw error;
    return attempt('oneByOne');
  }
};
