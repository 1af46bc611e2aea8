import type { Cancellation, LogPosition, Recorded } from '#domain/event-store.ts';
import { systemClock, type Clock } from '#projections/follower/clock.ts';
import { retryUntilAvailable, type LogBatch } from './log-reader.ts';
import type { WakeSignal } from '#projections/follower/wake-signal.ts';

export type PolledLog = {
  readonly page: (after: LogPosition, limit: number) => Promise<readonly Recorded[]>;
  readonly appended: WakeSignal;
  readonly pollEvery: number;
  /** The pause in ms between two reads. After a read of many events it is `IN_RUSH` times as long, so that the next read batches more. */
  readonly apart: number;
  readonly clock?: Clock;
};

const PAGE = 500;
/** A single shopper causes fewer events than this. */
const MANY = 20;
const IN_RUSH = 4;

/**
 * Reads immediately on a signal under low load, every `apart` ms under high load, and at least every `pollEvery` ms. It is correct only for
 * stores whose events become visible in the order of their positions.
 */
export async function* polledTail(
  { page, appended, pollEvery, apart, clock = systemClock }: PolledLog,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<LogBatch, void, undefined> {
  let position = after;
  while (!until.aborted) {
    const { times } = appended;
    let readAt = 0;
    const events = await retryUntilAvailable(until, () => {
      readAt = clock.now();
      return page(position, PAGE);
    });
    if (!events) return;
    position = events.at(-1)?.position ?? position;
    if (events.length > 0) yield { events, position, readAt };
    if (events.length === PAGE) continue;
    await appended.waitSince(times, pollEvery, until, clock);
    const soon = readAt + (events.length < MANY ? apart : IN_RUSH * apart) - clock.now();
    if (soon > 0) await clock.sleep(soon, until);
  }
}
