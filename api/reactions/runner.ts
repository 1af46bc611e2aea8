import { START, type Category, type LogPosition, type Recorded, type StreamName } from '#domain/event-store.ts';
import { errorMessage } from '#projections/follower/failures.ts';
import { LEASE_MS, runFollower, type Follower, type Log } from '#projections/follower/lease.ts';
import { systemClock, type Clock } from '#projections/follower/clock.ts';
import { isRewound, asCheckpointEvent, type CheckpointEvent, type ReadableLog } from '#projections/follower/log-rewind.ts';

import { withTimeout } from '../platform/retry.ts';
import type { CausedMail } from '../mail/outbox.ts';
import type { Reaction } from './reaction.ts';
import {
  LONGEST_WAIT_MS,
  PARKED_AFTER,
  type Due,
  type LeasedReaction,
  type Postponement,
  type ReactionKey,
  type ReactionStorage,
} from './reaction-storage.ts';

export type RunnerTimes = {
  /**
   * The first retry comes after this many ms, which is also how often due events are queried. The pause then doubles up to `longest` ms,
   * without end.
   */
  readonly first: number;
  readonly longest: number;
  /** An event that failed this often is parked: an operator has to look at it. */
  readonly parkedAfter: number;
  /** A handler may take this many ms: it may never return. */
  readonly within: number;
};

/**
 * An event is parked after eight and a half minutes if each attempt fails immediately, and is then retried every hour, so that a fixed
 * release needs no manual retry.
 */
export const RUNNER_TIMES: RunnerTimes = { first: 1_000, longest: LONGEST_WAIT_MS, parkedAfter: PARKED_AFTER, within: 10_000 };

export type RunnerParts = {
  readonly storage: ReactionStorage;
  readonly feed: ReadableLog;
  readonly log: Log;
  readonly times?: RunnerTimes;
  readonly clock?: Clock;
  readonly holder?: string;
};

/** The checkpoint moves after this many events: after a kill at most these are handled again. */
const IN_ONE = 200;
/** This many streams are handled concurrently, so that their reads and appends share statements. */
const AT_ONCE = 32;
/** The pause between two pages is this many ms long: no request waits for a reaction, and batches cost less for each event. */
const THROTTLE = 100;

/** Who lacks handlers gives the lease up after this many ms, so that a newer release can take it. */
const TURN_MS = 10 * LEASE_MS;

const LONGEST_ERROR = 500;
const NEWER = 'Only a newer release handles this event';
const BEHIND = 'An earlier event of its stream is postponed';

/** Error messages may contain characters that the database refuses. */
const describeError = (error: unknown): string => errorMessage(error).replaceAll('\0', '').slice(0, LONGEST_ERROR);

const BEGINNING: CheckpointEvent = { position: START, eventId: '' };

class Failed {
  constructor(readonly error: unknown) {}
}

type Outcome = { readonly mails: readonly CausedMail[]; readonly postponed: readonly Postponement[] };

const placeAt = async (feed: ReadableLog, position: LogPosition): Promise<CheckpointEvent | undefined> => {
  if (position === START) return BEGINNING;
  const event = await feed.at(position);
  return event && asCheckpointEvent(event);
};

const findEnd = async (feed: ReadableLog, categories: readonly Category[]): Promise<CheckpointEvent> => {
  const end = await placeAt(feed, await feed.head(categories));
  if (!end) throw new Error('The end of the log no longer exists');
  return end;
};

class Runner implements Follower<ReactionKey, LeasedReaction> {
  readonly about: object;
  readonly storage: ReactionStorage;
  readonly key: ReactionKey;
  readonly #times: RunnerTimes;
  readonly #clock: Clock;
  /** These streams have a postponed event, so that their later events are postponed too. */
  #stalled: ReadonlySet<StreamName> = new Set();
  #concerns: ReadonlySet<string> = new Set();
  /** Events of these types are left to a newer release: they are postponed instead of skipped. */
  #lacks: ReadonlySet<string> = new Set();

  constructor(
    readonly reaction: Reaction,
    readonly parts: RunnerParts,
    readonly signal: AbortSignal,
  ) {
    this.#times = parts.times ?? RUNNER_TIMES;
    this.#clock = parts.clock ?? systemClock;
    const { name, categories, handles, from } = reaction;
    this.about = { reaction: name };
    this.storage = parts.storage;
    this.key = { name, categories, handles, first: async () => (from === 'beginning' ? BEGINNING : findEnd(parts.feed, categories)) };
  }

  tryParked = async ({ name }: LeasedReaction): Promise<boolean> => {
    await this.storage.retryNow(name);
    return false;
  };

  follow = (held: LeasedReaction, signal: AbortSignal): Promise<void> =>
    this.#followFrom(held, held.lacks.length === 0 ? signal : this.#abortAfter(TURN_MS, signal));

  async #followFrom(begin: LeasedReaction, signal: AbortSignal): Promise<void> {
    const { storage, feed } = this.parts;
    this.#concerns = new Set([...this.reaction.handles, ...begin.lacks]);
    this.#lacks = new Set(begin.lacks);
    const { name, categories } = this.reaction;
    let held = (await isRewound(feed, begin.place)) ? await this.#startOver(begin) : begin;
    this.#stalled = await storage.postponedStreams(name);
    while (!signal.aborted) {
      for await (const page of feed.follow(held.place.position, categories, this.#untilNextLook(signal))) {
        held = await this.#reactToPage(page, held, signal);
        if (signal.aborted || this.#stalled.size > 0) break;
        await this.#clock.sleep(THROTTLE, signal);
      }
      if (this.#stalled.size > 0 && !signal.aborted) await this.#tryAgain(held);
    }
  }

  /** Interrupts following regularly to retry postponed events. */
  #untilNextLook(signal: AbortSignal): AbortSignal {
    return this.#stalled.size === 0 ? signal : this.#abortAfter(this.#times.first, signal);
  }

  /** `AbortSignal.any` is not used, because in Node 20 a long-lived signal retains something of each. */
  #abortAfter(milliseconds: number, signal: AbortSignal): AbortSignal {
    const sooner = new AbortController();
    void this.#clock.sleep(milliseconds, signal).then(() => sooner.abort());
    return sooner.signal;
  }

  /** The log was replaced: follows it again from where the reaction started. Handlers are idempotent. */
  async #startOver(held: LeasedReaction): Promise<LeasedReaction> {
    const { storage, feed, log } = this.parts;
    const { position } = held.place;
    log.warn({ ...this.about, position: String(position) }, 'The log was rewound: reacting to all of it again');
    const place = (await placeAt(feed, held.startedAt)) ?? (await findEnd(feed, this.reaction.categories));
    return storage.commit(this.key, held, { place, forgetsPostponed: true });
  }

  async #reactToPage(page: readonly Recorded[], begin: LeasedReaction, signal: AbortSignal): Promise<LeasedReaction> {
    let held = begin;
    for (let from = 0; from < page.length && !signal.aborted; from += IN_ONE)
      held = await this.#reactTo(page.slice(from, from + IN_ONE), held);
    return held;
  }

  async #reactTo(events: readonly Recorded[], held: LeasedReaction): Promise<LeasedReaction> {
    const last = events.at(-1);
    if (!last) return held;
    const { mails, postponed } = await this.#attemptAll(events.filter(({ type }) => this.#concerns.has(type)));
    const moved = await this.storage.commit(this.key, held, { place: asCheckpointEvent(last), mails, postponed });
    this.#stalled = new Set([...this.#stalled, ...postponed.map(({ stream }) => stream)]);
    return moved;
  }

  /** Attempts an event once. Throws when the log is unavailable, because an outage is not a failure of the event. */
  async #attempt(event: Recorded): Promise<readonly CausedMail[] | Failed> {
    const { within } = this.#times;
    if (this.#lacks.has(event.type)) return new Failed(NEWER);
    try {
      return await withTimeout(
        within,
        () => new Error(`The handler did not finish within ${within} ms`),
        this.reaction.react(event),
        this.#clock,
      );
    } catch (error) {
      // This throws if the log is unavailable, which is then the cause.
      await this.parts.feed.head(this.reaction.categories);
      return new Failed(error);
    }
  }

  /** Handles events of several streams concurrently, each stream in order up to the first failure. Returns mails in log order. */
  async #attemptAll(events: readonly Recorded[]): Promise<Outcome> {
    const streams = new Map<StreamName, Recorded[]>();
    for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
    const mails = new Map<Recorded, readonly CausedMail[]>();
    const postponed: Postponement[] = [];

    const inOrder = async (stream: StreamName, own: readonly Recorded[]): Promise<void> => {
      let isStalled = this.#stalled.has(stream);
      for (const event of own) {
        const result = isStalled ? undefined : await this.#attempt(event);
        if (result instanceof Failed) postponed.push(this.#postponedFirst(event, result.error));
        else if (result) mails.set(event, result);
        else postponed.push({ stream, position: event.position, attempts: 0, wait: 0, error: BEHIND });
        isStalled ||= result instanceof Failed;
      }
    };

    const remaining = streams.entries();
    const worker = async (): Promise<void> => {
      // All workers share the iterator.
      for (const [stream, own] of remaining) await inOrder(stream, own);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return { mails: events.flatMap((event) => mails.get(event) ?? []), postponed };
  }

  #failed = ({ stream, position, attempts }: Due, error: unknown): Postponement => {
    const { first, longest } = this.#times;
    return { stream, position, attempts: attempts + 1, wait: Math.min(first * 2 ** attempts, longest), error: describeError(error) };
  };

  #postponedFirst({ stream, position, type }: Recorded, error: unknown): Postponement {
    const failed = this.#failed({ stream, position, attempts: 0 }, error);
    this.parts.log.warn({ ...this.about, stream, position: String(position), type, error: failed.error }, 'A reaction is postponed');
    return failed;
  }

  /** Retries the first postponed events of streams that are due, and continues while any succeeds; new events wait meanwhile. */
  async #tryAgain(held: LeasedReaction): Promise<void> {
    const { storage } = this.parts;
    for (let succeeded = true; succeeded && !this.signal.aborted;) {
      const due = await storage.dueNow(held.name);
      succeeded = (await Promise.all(due.map((each) => this.#tryOne(each, held)))).includes(true);
    }
    this.#stalled = await storage.postponedStreams(held.name);
  }

  /** Resolves to true if it succeeded. */
  async #tryOne(due: Due, held: LeasedReaction): Promise<boolean> {
    const { storage, feed, log } = this.parts;
    const { place } = held;
    const event = await feed.at(due.position);
    const result = event?.stream === due.stream ? await this.#attempt(event) : new Failed('The log no longer has this event');
    if (!(result instanceof Failed)) {
      await storage.commit(this.key, held, { place, mails: result, done: due });
      return true;
    }
    const failedAgain = this.#failed(due, result.error);
    await storage.commit(this.key, held, { place, failedAgain });
    const { stream, position, error, attempts } = failedAgain;
    if (attempts === this.#times.parkedAfter)
      log.error({ ...this.about, stream, position: String(position), error }, 'A reaction is parked');
    return false;
  }
}

/**
 * Follows the log and handles each event at least once, until the signal is aborted. Any number of processes may run the same reaction: one
 * works, the others stand by. Survives outages of log and database. An event whose handler fails is postponed with the later ones of its
 * stream and retried, while other streams continue (README.md).
 */
export const runReaction = (reaction: Reaction, parts: RunnerParts, signal: AbortSignal): Promise<void> =>
  runFollower(new Runner(reaction, parts, signal), parts, signal);
