import type { LogPosition } from '#domain/event-store.ts';
import { Superseded } from '#projections/follower/failures.ts';
import type { CheckpointEvent } from '#projections/follower/log-rewind.ts';
import { assertUnchanged } from '#projections/follower/lease.ts';
import { MemoryLease } from '#projections/follower/memory-lease.ts';

import type { CausedMail } from '../mail/outbox.ts';
import { DUE_AT_ONCE, LONGEST_WAIT_MS, type Postponement, type ReactionStorage } from './reaction-storage.ts';

type Row = {
  place: CheckpointEvent;
  readonly startedAt: LogPosition;
  epoch: number;
  handles: readonly string[];
  readonly lease: MemoryLease;
};
type Waiting = Omit<Postponement, 'wait'> & { readonly at: number };

export type MemoryReactions = ReactionStorage & {
  readonly mails: readonly CausedMail[];
  placeOf(name: string): CheckpointEvent | undefined;
};

/** Keeps the storage in memory, for the simulation. `now` returns ms. */
export const memoryReactions = (now: () => number): MemoryReactions => {
  const rows = new Map<string, Row>();
  const mails = new Map<string, CausedMail>();
  const postponed = new Map<string, Map<LogPosition, Waiting>>();

  const getWaiting = (name: string): Map<LogPosition, Waiting> => {
    const waiting = postponed.get(name) ?? new Map<LogPosition, Waiting>();
    postponed.set(name, waiting);
    return waiting;
  };
  const rowOf = (name: string): Row => {
    const row = rows.get(name);
    if (!row) throw new Superseded(`There is no checkpoint of ${name}`);
    return row;
  };
  const waitUntil = ({ wait, ...rest }: Postponement): Waiting => ({ ...rest, at: now() + wait });

  return {
    get mails() {
      return [...mails.values()];
    },
    placeOf: (name) => rows.get(name)?.place,

    claim: async ({ name, handles, first }, holder) => {
      const begin = rows.has(name) ? undefined : await first();
      if (begin && !rows.has(name))
        rows.set(name, { place: begin, startedAt: begin.position, epoch: 0, handles, lease: new MemoryLease() });
      const row = rowOf(name);
      if (handles.some((type) => !row.handles.includes(type))) {
        row.handles = [...new Set([...row.handles, ...handles])];
        row.epoch += 1;
      }
      const { place, startedAt, epoch } = row;
      const lacks = row.handles.filter((type) => !handles.includes(type));
      return row.lease.claim(holder, now(), lacks.length === 0) ? { name, holder, place, startedAt, epoch, lacks } : undefined;
    },

    renew: async ({ name }, holder) => {
      const { lease, epoch } = rowOf(name);
      lease.renew(holder, now());
      return epoch;
    },

    release: async ({ name }, holder) => rowOf(name).lease.release(holder),

    commit: async (_, held, { place, mails: put = [], postponed: later = [], failedAgain, done, forgetsPostponed }) => {
      const row = rowOf(held.name);
      assertUnchanged({ ...held.place, ...held }, { ...row.place, ...row, holder: row.lease.holder });
      row.lease.renew(held.holder, now());
      row.place = place;
      for (const each of put) if (!mails.has(each.cause)) mails.set(each.cause, each);
      const waiting = getWaiting(held.name);
      if (forgetsPostponed) waiting.clear();
      if (done) waiting.delete(done.position);
      if (failedAgain) waiting.set(failedAgain.position, waitUntil(failedAgain));
      for (const each of later) if (!waiting.has(each.position)) waiting.set(each.position, waitUntil(each));
      return { ...held, place };
    },

    postponedStreams: async (name) => new Set([...getWaiting(name).values()].map(({ stream }) => stream)),

    retryNow: async (name) => {
      const waiting = getWaiting(name);
      for (const [position, each] of waiting) waiting.set(position, { ...each, at: now() });
    },

    dueNow: async (name) => {
      const inOrder = [...getWaiting(name).values()].toSorted((one, other) => Number(one.position - other.position));
      const firsts = inOrder.filter(({ stream }, index) => inOrder.findIndex((each) => each.stream === stream) === index);
      const due = firsts.filter(({ at }) => at <= now() || at > now() + 2 * LONGEST_WAIT_MS).toSorted((one, other) => one.at - other.at);
      return due.slice(0, DUE_AT_ONCE).map(({ stream, position, attempts }) => ({ stream, position, attempts }));
    },
  };
};
