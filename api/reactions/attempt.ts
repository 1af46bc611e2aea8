import type { Feed, Recorded, StreamName } from '#domain/event-store.ts';

import { within } from '../event-store/patience.ts';
import type { CausedMail } from '../mail/outbox.ts';
import type { Postponement } from './postponed.ts';
import type { Reaction } from './reaction.ts';

/** Streams that are reacted to at once: what they ask and append then shares statements. */
const AT_ONCE = 32;

export class Failed {
  constructor(readonly error: unknown) {}
}

/** One try at one event. Throws when it is the log that does not answer: an outage is waited for, and is no fault of the event. */
export type Attempt = (event: Recorded) => Promise<readonly CausedMail[] | Failed>;

type Parts = { readonly reaction: Reaction; readonly feed: Pick<Feed, 'head'>; readonly within: number };

export const attemptOf =
  ({ reaction, feed, within: patience }: Parts): Attempt =>
  async (event) => {
    try {
      return await within(patience, () => new Error(`Nothing came of it within ${patience} ms`), reaction.react(event));
    } catch (error) {
      // If the log does not answer this either, that is what is wrong.
      await feed.head(reaction.categories);
      return new Failed(error);
    }
  };

const byStream = (events: readonly Recorded[]): ReadonlyMap<StreamName, readonly Recorded[]> => {
  const streams = new Map<StreamName, Recorded[]>();
  for (const event of events) {
    const known = streams.get(event.stream);
    if (known) known.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
};

/** What became of some events: the mails in the order of the log, and what is to be tried again. */
export type Outcome = { readonly mails: readonly CausedMail[]; readonly postponements: readonly Postponement[] };

/** Reacts to events, a few streams side by side; in each to one after the other, up to the first that fails. */
export const attemptAll = async (events: readonly Recorded[], stalled: ReadonlySet<StreamName>, attempt: Attempt): Promise<Outcome> => {
  const mails = new Map<Recorded, readonly CausedMail[]>();
  const postponements: Postponement[] = [];

  const inOrder = async (stream: StreamName, own: readonly Recorded[]): Promise<void> => {
    let isStalled = stalled.has(stream);
    for (const event of own) {
      const result = isStalled ? undefined : await attempt(event);
      if (result === undefined) postponements.push({ event });
      else if (result instanceof Failed) postponements.push({ event, error: result.error });
      else mails.set(event, result);
      isStalled ||= result instanceof Failed;
    }
  };

  const streams = byStream(events).entries();
  const worker = async (): Promise<void> => {
    // All workers draw from the one iterator.
    for (const [stream, own] of streams) await inOrder(stream, own);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { mails: events.flatMap((event) => mails.get(event) ?? []), postponements };
};
