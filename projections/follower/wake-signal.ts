import type { Cancellation } from '#domain/event-store.ts';
import { systemClock, type Clock } from './clock.ts';

/** Without a reason `abort` would create an exception with a stack. */
const WOKEN = 'woken';

/** The signal is only a hint that something may have changed. */
export class WakeSignal {
  #times = 0;
  readonly #waiting = new Set<() => void>();

  get times(): number {
    return this.#times;
  }

  notify(): void {
    this.#times += 1;
    for (const leave of this.#waiting) leave();
  }

  /** Resolves once the signal was given more than `times` times, after `patience` ms, or when `until` is aborted. */
  async waitSince(times: number, patience: number, until: Cancellation, clock: Clock = systemClock): Promise<void> {
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
