import {
  eventTypeFilter,
  START as FROM_START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import type { LogPosition } from '#domain/event-store.ts';
import { AT_LEADER } from './eventstoredb-connection.ts';
import type { StoredEvent } from './stored-event.ts';

/** Events that the server looks through before it gives a sign of life, when none of them is of the categories asked for. */
const SEARCH_WINDOW = 2_000;
/** Events that may wait for the consumer before the server is made to wait too. */
const ENOUGH = 2_000;

export type SubscriptionParts = {
  readonly client: EventStoreDBClient;
  readonly after: LogPosition;
  /** Where the server begins to look, when that is before `after`. */
  readonly from?: LogPosition;
  /** What the names of its streams begin with, or of its types: one of the two. */
  readonly prefixes?: string[];
  readonly types?: string[];
  readonly toStored: (resolved: AllStreamResolvedEvent) => StoredEvent | undefined;
};

/** One life of a subscription: it never comes back once it is over. */
export type Subscription = {
  /** What arrived since the last time. */
  take(): readonly StoredEvent[];
  /** Comes back when something arrived, when the server has looked further, when all there was has arrived, or when it is over. */
  changed(): Promise<void>;
  /** Wakes up whoever waits for a change. */
  nudge(): void;
  state(): SubscriptionState;
  /** Ends it from this side. */
  cancel(): void;
};

export type SubscriptionState = {
  /** Everything up to the end of the log at some moment after the beginning has arrived. */
  readonly isCaughtUp: boolean;
  /** Ended by either side, or broken. An end without an error is an end too: the client never comes back by itself. */
  readonly isOver: boolean;
  readonly error: Error | undefined;
  /** Position of the last event that arrived. */
  readonly received: bigint;
  /** The server has looked up to here, and all that it found has arrived. */
  readonly searched: bigint;
  /** It waits for its consumer, not the consumer for it. */
  readonly isHeldUp: boolean;
};

export const subscribe = ({ client, after, from = after, prefixes, types, toStored }: SubscriptionParts): Subscription => {
  let arrived: StoredEvent[] = [];
  let [isCaughtUp, isOver, isHeldUp] = [false, false, false];
  let error: Error | undefined;
  let [received, searched, announced]: [bigint, bigint, bigint] = [after, after, after];
  let wake: (() => void) | undefined;
  const nudge = (): void => {
    wake?.();
    wake = undefined;
  };

  const subscription = client.subscribeToAll({
    ...AT_LEADER,
    fromPosition: from === 0n ? FROM_START : { commit: from, prepare: from },
    filter: (types ? eventTypeFilter : streamNameFilter)({
      prefixes: types ?? prefixes ?? [],
      maxSearchWindow: SEARCH_WINDOW,
      checkpointReached: (_, { commit }) => {
        announced = commit;
        nudge();
      },
    }),
  });

  const end = (cause?: Error): void => {
    if (isOver) return;
    isOver = true;
    error = cause;
    nudge();
  };
  subscription.on('data', (resolved: AllStreamResolvedEvent) => {
    const event = toStored(resolved);
    if (event && event.position > received) {
      arrived.push(event);
      received = event.position;
    }
    if (arrived.length >= ENOUGH && !isHeldUp) {
      isHeldUp = true;
      subscription.pause();
    }
    nudge();
  });
  subscription.on('caughtUp', () => {
    isCaughtUp = true;
    nudge();
  });
  subscription.on('error', end);
  subscription.on('end', () => end());
  subscription.on('close', () => end());

  return {
    take: () => {
      const taken = arrived;
      arrived = [];
      if (isHeldUp) {
        isHeldUp = false;
        subscription.resume();
      }
      return taken;
    },
    changed: () => new Promise((resolve) => (wake = resolve)),
    nudge,
    state: () => {
      // Both are announced up to sixteen events before those have come out of the client's buffers.
      const isEmpty = subscription.readableLength === 0;
      if (isEmpty && announced > searched) searched = announced;
      if (received > searched) searched = received;
      return { isCaughtUp: isCaughtUp && isEmpty, isOver, error, received, searched, isHeldUp };
    },
    cancel: () => {
      end();
      // Where the call was never made there is nothing to cancel, and that is told as an error.
      subscription.unsubscribe().catch(() => {});
    },
  };
};
