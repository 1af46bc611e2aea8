import type { Cancellation, LogPosition, Recorded } from '#domain/event-store.ts';
import { systemClock, type Clock } from '#projections/engine/clock.ts';
import type { Stretch } from './log-reader.ts';
import { outlasting } from './retry.ts';

/** Without a reason `abort` makes an exception with its stack. */
const WOKEN = 'woken';

/** Wakes readers that wait for the end of the log to move. It is a hint: what was appended is read from the log. */
export class WakeSignal {
  #times = 0;
  readonly #waiting = new Set<() => void>();

  /** How often it was given. */
  get times(): number {
    return this.#times;
  }

  give(): void {
    this.#times += 1;
    for (const leave of this.#waiting) leave();
  }

  /** Comes back once it was given more than so many times, after `patience` ms at the latest, or when `until` is aborted. */
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
  /** The events of all categories after a position, in order. */
  readonly page: (after: LogPosition, limit: number) => Promise<readonly Recorded[]>;
  readonly appended: WakeSignal;
  /** How long to trust that the signal would have been given, in ms. */
  readonly pollEvery: number;
  /** The least time between two reads, in ms; `IN_RUSH` times that after one that brought many events, so that the next has still more of them. */
  readonly apart: number;
  readonly clock?: Clock;
};

/** So many events are read at once. */
const PAGE = 500;
/** More than one shopper brings about, however quick. */
const MANY = 20;
const IN_RUSH = 4;

/**
 * The tail of a log that is asked for pages: at once when the signal is given in a quiet hour, every `apart` ms in a rush, and every
 * `pollEvery` ms in any case. It is right only over a store whose events become visible in the order of their positions.
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
    const events = await outlasting(until, () => {
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
