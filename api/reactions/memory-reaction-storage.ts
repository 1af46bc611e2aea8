import type { LogPosition } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';
import { LEASE_MS } from '#projections/follower/lease.ts';

import type { CausedMail } from '../mail/outbox.ts';
import { DUE_AT_ONCE, type LeasedReaction, type Postponement, type ReactionStorage } from './reaction-storage.ts';

type Row = { place: CheckpointEvent; readonly startedAt: LogPosition; readonly epoch: number; holder: string | null; heldUntil: number };
type Waiting = Omit<Postponement, 'wait'> & { readonly at: number };

/** With the stored state readable by the simulation. */
export type MemoryReactions = ReactionStorage & {
  readonly mails: readonly CausedMail[];
  placeOf(name: string): CheckpointEvent | undefined;
};

/** The storage in memory, for the simulation. `now` is in ms. */
export const memoryReactions = (now: () => number): MemoryReactions => {
  const rows = new Map<string, Row>();
  const mails = new Map<string, CausedMail>();
  const postponed = new Map<string, Map<LogPosition, Waiting>>();

  const waitingOf = (name: string): Map<LogPosition, Waiting> => {
    const waiting = postponed.get(name) ?? new Map<LogPosition, Waiting>();
    postponed.set(name, waiting);
    return waiting;
  };
  const heldBy = (name: string, holder: string): Row => {
    const row = rows.get(name);
    if (row?.holder !== holder) throw new Superseded(`Another process has taken over ${name}`);
    return row;
  };
  const waitUntil = ({ wait, ...rest }: Postponement): Waiting => ({ ...rest, at: now() + wait });
  const claimFree = (name: string, holder: string, row: Row): LeasedReaction | undefined => {
    if (row.holder !== null && row.holder !== holder && row.heldUntil >= now()) return undefined;
    Object.assign(row, { holder, heldUntil: now() + LEASE_MS });
    return { name, holder, place: row.place, startedAt: row.startedAt, epoch: row.epoch };
  };

  return {
    get mails() {
      return [...mails.values()];
    },
    placeOf: (name) => rows.get(name)?.place,

    claim: async (name, holder, first) => {
      const place = rows.has(name) ? undefined : await first();
      if (place && !rows.has(name)) rows.set(name, { place, startedAt: place.position, epoch: 0, holder: null, heldUntil: 0 });
      const row = rows.get(name);
      return row && claimFree(name, holder, row);
    },

    renew: async (name, holder) => void (heldBy(name, holder).heldUntil = now() + LEASE_MS),

    release: async (name, holder) => {
      const row = rows.get(name);
      if (row?.holder === holder) row.holder = null;
    },

    commit: async (held, { place, mails: put = [], postponed: later = [], failedAgain, done, forgetsPostponed }) => {
      const row = heldBy(held.name, held.holder);
      const { position, eventId } = held.place;
      const isMoved = row.place.position !== position || row.place.eventId !== eventId || row.epoch !== held.epoch;
      if (isMoved) throw new Superseded(`${held.name} is no longer at ${held.place.position}`);
      Object.assign(row, { place, heldUntil: now() + LEASE_MS });
      for (const each of put) if (!mails.has(each.cause)) mails.set(each.cause, each);
      const waiting = waitingOf(held.name);
      if (forgetsPostponed) waiting.clear();
      if (done) waiting.delete(done.position);
      if (failedAgain) waiting.set(failedAgain.position, waitUntil(failedAgain));
      for (const each of later) if (!waiting.has(each.position)) waiting.set(each.position, waitUntil(each));
      return { ...held, place };
    },

    postponedStreams: async (name) => new Set([...waitingOf(name).values()].map(({ stream }) => stream)),

    dueNow: async (name) => {
      const inOrder = [...waitingOf(name).values()].toSorted((one, other) => Number(one.position - other.position));
      const firsts = inOrder.filter(({ stream }, index) => inOrder.findIndex((each) => each.stream === stream) === index);
      const due = firsts.filter(({ at }) => at <= now()).toSorted((one, other) => one.at - other.at);
      return due.slice(0, DUE_AT_ONCE).map(({ stream, position, attempts }) => ({ stream, position, attempts }));
    },
  };
};
