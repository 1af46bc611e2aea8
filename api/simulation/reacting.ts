import type { StreamName } from '#domain/event-store.ts';
import { Superseded } from '#projections/failures.ts';

import { attemptAll, Failed, type Attempt, type Outcome } from '../reactions/attempt.ts';
import type { Reaction } from '../reactions/reaction.ts';
import { again, PAGE, placeOf, restUntilNews, type Following } from './following.ts';
import { isSame, type Place, type Postponed } from './tables.ts';

/** A reaction that failed is tried again after so long, in ms. */
const AGAIN_AFTER = 500;

/** One process's part in a reaction, as the runner has it (reactions/runner.ts): here without a lease, so that two are at it all the time. */
export class Reacting {
  readonly #name: string;

  constructor(
    readonly following: Following,
    readonly reaction: Reaction,
  ) {
    this.#name = reaction.name;
  }

  /** An outage of the log is no fault of the event. */
  readonly #attempt: Attempt = async (event) => {
    try {
      return await this.reaction.react(event);
    } catch (error) {
      await this.following.parts.store.head(this.reaction.categories);
      return new Failed(error);
    }
  };

  #postponed = (): readonly Postponed[] => this.following.world.tables.postponed.get(this.#name) ?? [];

  /** Mails, what is postponed, and the checkpoint: at once, or not at all. */
  #move(held: Place, place: Place, { mails, postponements }: Outcome, done?: Postponed): Promise<Place> {
    const { world, parts } = this.following;
    const { tables, rules, scheduler } = world;
    return parts.at.wire(`move ${this.#name} to ${place.position}`, () => {
      if (!isSame(tables.reaction(this.#name), held)) throw new Superseded(this.#name);
      tables.reactions.set(this.#name, place);
      const isNew = (cause: string): boolean => !rules.isOneMailEach || tables.outbox.every((mail) => mail.cause !== cause);
      tables.outbox.push(...mails.filter(({ cause }) => isNew(cause)));
      const at = scheduler.milliseconds() + AGAIN_AFTER;
      const later = postponements.map(({ event: { stream, position } }) => ({ stream, position, at }));
      const others = this.#postponed().filter((one) => one !== done && !later.some(({ position }) => position === one.position));
      tables.postponed.set(
        this.#name,
        [...others, ...later].toSorted((one, other) => Number(one.position - other.position)),
      );
      return place;
    });
  }

  /** The first postponed event of a stream, when its time has come. */
  async #tryAgain(held: Place): Promise<void> {
    const { world, parts } = this.following;
    const streams = new Map<StreamName, Postponed>();
    for (const each of this.#postponed().toReversed()) streams.set(each.stream, each);
    for (const each of streams.values()) {
      if (each.at > world.scheduler.milliseconds()) continue;
      const event = await parts.store.at(each.position);
      if (!event) throw new Error(`The log no longer holds ${each.position}`);
      const result = await this.#attempt(event);
      const failed = result instanceof Failed;
      const outcome = failed ? { mails: [], postponements: [{ event, error: result.error }] } : { mails: result, postponements: [] };
      await this.#move(held, held, outcome, each);
    }
  }

  readonly run = (): Promise<void> =>
    again(this.following, this.#name, async () => {
      const { world, parts, page: readPage } = this.following;
      let held = await parts.at.wire(`read the checkpoint of ${this.#name}`, () => world.tables.reaction(this.#name));
      for (;;) {
        await this.#tryAgain(held);
        const heard = world.bell.heard(this.reaction.categories);
        const page = await readPage(held.position, PAGE, this.reaction.categories);
        if (page.length === 0) await restUntilNews(this.following, this.reaction, heard);
        const concerned = page.filter(({ type }) => this.reaction.concerns(type));
        const outcome = await attemptAll(concerned, new Set(this.#postponed().map(({ stream }) => stream)), this.#attempt);
        if (page.length > 0) held = await this.#move(held, placeOf(page, held), outcome);
      }
    });
}
