import type { Feed, Recorded, StreamName } from '#domain/event-store.ts';
import { messageOf } from '#projections/failures.ts';
import { newHolder, whileRenewed } from '#projections/lease.ts';
import type { Log } from '#projections/log.ts';
import { pause } from '#projections/pause.ts';
import { identityOf, isRewound } from '#projections/rewound.ts';
import { Turns, WHILE_HELD } from '#projections/turns.ts';

import type { Outbox } from '../mail/outbox.ts';
import type { ShopDatabase } from '../shop-tables.ts';
import { attemptAll, attemptOf, Failed, type Attempt, type Outcome } from './attempt.ts';
import { BEGINNING, claim, move, moveAndPut, moving, release, renew, type Held } from './checkpoint.ts';
import {
  dueNow,
  forget,
  forgetAll,
  PATIENCE,
  postpone,
  postponeAgain,
  postponedStreams,
  type Due,
  type Patience,
  type Postponement,
} from './postponed.ts';
import type { Reaction } from './reaction.ts';

export type RunnerParts = {
  readonly db: ShopDatabase;
  readonly feed: Feed;
  readonly outbox: Pick<Outbox, 'row' | 'putAll' | 'wake'>;
  readonly log: Log;
  readonly patience?: Patience;
};

/** Events between two moves of the checkpoint: what a process that is killed may have to do again. */
const IN_ONE = 200;
/** In a rush, how long what happens gathers before it is reacted to, in ms: nobody waits for a reaction, and together they cost a fraction. */
const GATHERED = 100;
/** By the clock, so that all reactions of a process go on at the same moment, and share what they read. */
const gathering = (): number => GATHERED - (performance.now() % GATHERED);

/** Aborted after `milliseconds`, or with `signal`. Not by `AbortSignal.any`: in Node 20 a signal that lives on keeps something of each. */
const abortedAfter = (milliseconds: number, signal: AbortSignal): AbortSignal => {
  const sooner = new AbortController();
  void pause(milliseconds, signal).then(() => sooner.abort());
  return sooner.signal;
};

/** One process's part in a reaction. */
class Runner {
  readonly #holder = newHolder();
  readonly #patience: Patience;
  readonly #attempt: Attempt;
  readonly #turns: Turns;
  #stalled: ReadonlySet<StreamName> = new Set();

  constructor(
    readonly reaction: Reaction,
    readonly parts: RunnerParts,
    readonly until: AbortSignal,
  ) {
    this.#patience = parts.patience ?? PATIENCE;
    this.#attempt = attemptOf({ reaction, feed: parts.feed, within: this.#patience.within });
    this.#turns = new Turns({ reaction: reaction.name }, parts.log, until);
  }

  run(): Promise<void> {
    return this.#turns.take(() => this.#takeTurn());
  }

  /** Holds the reaction for as long as it can, or waits a while when another process holds it. */
  async #takeTurn(): Promise<void> {
    const { db } = this.parts;
    const { name } = this.reaction;
    const held = await claim(db, name, this.#holder);
    if (!held) return pause(WHILE_HELD, this.until);
    const lease = { renew: () => renew(db, name, this.#holder), release: () => release(db, name, this.#holder) };
    await whileRenewed(lease, this.until, (signal) => this.#work(held, signal));
  }

  async #work(begin: Held, signal: AbortSignal): Promise<void> {
    const { db, feed } = this.parts;
    let held = (await isRewound(feed, begin)) ? await this.#startOver(begin) : begin;
    this.#stalled = await postponedStreams(db, this.reaction.name);
    while (!signal.aborted) {
      // With something postponed, following is broken off now and then to look after that.
      const patience = this.#stalled.size === 0 ? signal : abortedAfter(this.#patience.first, signal);
      for await (const page of feed.follow(held.position, this.reaction.categories, patience)) {
        held = await this.#reactToPage(page, held, signal);
        this.#turns.wentOn();
        if (signal.aborted || this.#stalled.size > 0) break;
        await pause(gathering(), signal);
      }
      if (this.#stalled.size > 0 && !signal.aborted) await this.#tryAgain(held);
    }
  }

  /** The log is not the one that was followed. All of it is gone through again, since what was done before does not happen again. */
  async #startOver(held: Held): Promise<Held> {
    this.parts.log.warn({ ...this.#turns.about, position: String(held.position) }, 'The log was rewound: reacting to all of it again');
    return moving(this.parts.db, held, BEGINNING, (tx) => forgetAll(tx, held.name));
  }

  async #reactToPage(page: readonly Recorded[], begin: Held, signal: AbortSignal): Promise<Held> {
    let held = begin;
    for (let from = 0; from < page.length && !signal.aborted; from += IN_ONE)
      held = await this.#reactTo(page.slice(from, from + IN_ONE), held);
    return held;
  }

  async #reactTo(events: readonly Recorded[], held: Held): Promise<Held> {
    const { outbox } = this.parts;
    const last = events.at(-1);
    if (!last) return held;
    const concerned = events.filter(({ type }) => this.reaction.concerns(type));
    const { mails, postponements } = await attemptAll(concerned, this.#stalled, this.#attempt);
    const place = { position: last.position, eventId: identityOf(last) };
    const moved = await this.#note(held, place, { mails, postponements });
    if (mails.length > 0) outbox.wake();
    this.#stalled = new Set([...this.#stalled, ...postponements.map(({ event }) => event.stream)]);
    this.#tell(postponements);
    return moved;
  }

  /** Moves on, with what came of it: nearly always by one statement. */
  #note(held: Held, place: Pick<Held, 'position' | 'eventId'>, { mails, postponements }: Outcome): Promise<Held> {
    const { db, outbox } = this.parts;
    if (postponements.length === 0) {
      if (mails.length === 0) return move(db, held, place);
      const rows = mails.map(({ cause, mail }) => outbox.row(cause, mail));
      return moveAndPut(db, held, place, rows);
    }
    return moving(db, held, place, async (tx) => {
      await postpone(tx, held.name, postponements, this.#patience);
      await outbox.putAll(tx, mails);
    });
  }

  #tell(postponements: readonly Postponement[]): void {
    for (const { event, error } of postponements) {
      if (error === undefined) continue;
      const { stream, position, type } = event;
      this.parts.log.warn(
        { ...this.#turns.about, stream, position: String(position), type, error: messageOf(error) },
        'A reaction is postponed',
      );
    }
  }

  /** Reacts to the postponed events whose time has come, each stream in order for as long as that goes well. */
  async #tryAgain(held: Held): Promise<void> {
    const { db } = this.parts;
    for (let due = await dueNow(db, held.name); due.length > 0 && !this.until.aborted; due = await dueNow(db, held.name))
      for (const each of due) await this.#tryOne(each, held);
    this.#stalled = await postponedStreams(db, held.name);
  }

  async #tryOne(due: Due, held: Held): Promise<void> {
    const { db, feed, outbox, log } = this.parts;
    const event = await feed.at(due.position);
    const result = event?.stream === due.stream ? await this.#attempt(event) : new Failed('The log no longer holds this event');
    await moving(db, held, held, async (tx) => {
      if (result instanceof Failed) return postponeAgain(tx, held.name, due, result.error, this.#patience);
      await forget(tx, held.name, due);
      await outbox.putAll(tx, result);
    });
    if (!(result instanceof Failed)) return outbox.wake();
    if (due.attempts + 1 !== this.#patience.parkedAfter) return;
    const { stream, position } = due;
    log.error({ ...this.#turns.about, stream, position: String(position), error: messageOf(result.error) }, 'A reaction is parked');
  }
}

/**
 * Follows the log and reacts to each event at least once, until the signal is aborted. Any number of processes may run the same reaction:
 * one works, the others stand by. Gets over outages of log and database; an event that it cannot react to is postponed with what follows
 * in its stream, and tried again, while the other streams go on (README.md).
 */
export const runReaction = (reaction: Reaction, parts: RunnerParts, until: AbortSignal): Promise<void> =>
  new Runner(reaction, parts, until).run();
