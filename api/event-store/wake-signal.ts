import type { Cancellation, LogPosition, Recorded } from '#domain/event-store.ts';
import { systemClock, type Clock } from '#projections/engine/clock.ts';
import type { Stretch } from './log-reader.ts';
import { retryUntilAvailable } from './retry.ts';

/** Without a reason `abort` creates an exception with a stack. */
const WOKEN = 'woken';

/** Only a hint: the events are read from the log. */
export class WakeSignal {
  #times = 0;
  readonly #waiting = new Set<() => void>();

  get times(): number {
    return this.#times;
  }

  give(): void {
    this.#times += 1;
    for (const leave of this.#waiting) leave();
  }

  /** Resolves once it was given more than `times` times, after `patience` ms, or when `until` is aborted. */
  async moreThan(times: number, patience: number, until: Cancellation, clock: Clock = systemClock): Promise<void> {
    const woken = new AbortController();
    const leave = (): void => woken.abort(WOKEN);
    until.addEventListener('abort', leave);
    this.#waiting.add(leave);
    if (until.aborted || this.#times > times) leave();
    await clock.sleep(patience, woken.signal);
    until.removeEventListener('abort', leave);
    this.#waiting.delete(leave);
  }
}

export type PolledLog = {
  readonly page: (after: LogPosition, limit: number) => Promise<readonly Recorded[]>;
  readonly appended: WakeSignal;
  /** In ms, between reads without a signal. */
  readonly pollEvery: number;
  /** In ms, between two reads; `IN_RUSH` times that after a read of many events: the next one batches more. */
  readonly apart: number;
  readonly clock?: Clock;
};

const PAGE = 500;
/** More than a single shopper causes. */
const MANY = 20;
const IN_RUSH = 4;

/**
 * Reads at once on a signal under low load, every `apart` ms under high load, and at least every `pollEvery` ms. Correct only for stores
 * whose events become visible in the order of their positions.
 */
export async function* polledTail(
  { page, appended, pollEvery, apart, clock = systemClock }: PolledLog,
  after: LogPosition,
  until: Cancellation,
): AsyncGenerator<Stretch, void, undefined> {
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
    await appended.moreThan(times, pollEvery, until, clock);
    const soon = readAt + (events.length < MANY ? apart : IN_RUSH * apart) - clock.now();
    if (soon > 0) await clock.sleep(soon, until);
  }
}
