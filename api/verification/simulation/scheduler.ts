import type { Cancellation } from '#domain/event-store.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { Clock } from '#projections/engine/clock.ts';

import type { SeededRandom } from '../journeys/seeded-random.ts';

/** An actor with an end: a process, which may be killed, or a person. */
export class Life {
  readonly #mourners = new Set<() => void>();
  #isOver = false;
  /** Until this time, in ms of the scheduler, it does nothing: its process is stopped. */
  stoppedUntil = 0;

  constructor(readonly name: string) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back at the end. Returns a function that removes the callback. */
  atEnd(callback: () => void): () => void {
    this.#mourners.add(callback);
    return () => void this.#mourners.delete(callback);
  }

  end(): void {
    this.#isOver = true;
    for (const tell of this.#mourners) tell();
    this.#mourners.clear();
  }
}

type Waiting = {
  readonly life: Life;
  readonly what: string;
  readonly due: number;
  /** It may continue before it is due once this is true. */
  readonly mayGoOn: () => boolean;
  readonly resolve: () => void;
};

const never = (): boolean => false;

const OPENING = Date.UTC(2026, 10, 21, 4, 30);
/** The longest time between two steps, in ms. */
const LONGEST_STEP = 6;

/** Resolves when all promises that could continue have done so and every actor waits for a step: nothing here waits for real I/O. */
const settled = (): Promise<void> => new Promise((resolve) => void process.nextTick(resolve));

/**
 * Every call, answer and pause waits here, and the random generator chooses which continues: one at a time, so that the seed alone decides
 * the order of everything. Time is the scheduler's; it does not pass by itself.
 */
export class Scheduler {
  /** The steps, one line each: the same for the same seed. */
  readonly trace: string[] = [];
  #waiting: Waiting[] = [];
  #milliseconds = 0;

  constructor(readonly random: SeededRandom) {}

  /** Since the beginning, in ms. */
  readonly milliseconds = (): number => this.#milliseconds;
  readonly now = (): Instant => instant(new Date(OPENING + this.#milliseconds).toISOString());

  /** Resolves at its step, after this many milliseconds at the earliest; never if the actor has ended by then. */
  turn(life: Life, what: string, after = 0): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + after, mayGoOn: never, resolve }));
  }

  /** The same, but as soon as the condition is true, and after this many milliseconds at the latest. */
  until(life: Life, what: string, mayGoOn: () => boolean, atMost: number): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + atMost, mayGoOn, resolve }));
  }

  /** Calls back after this many milliseconds, unless the returned function was called before. */
  after(life: Life, what: string, milliseconds: number, callback: () => void): () => void {
    const waiting = { life, what, due: this.#milliseconds + milliseconds, mayGoOn: never, resolve: callback };
    this.#wait(waiting);
    return () => void (this.#waiting = this.#waiting.filter((each) => each !== waiting));
  }

  /** Resolves after this many milliseconds, or as soon as `until` is aborted. */
  pause(life: Life, milliseconds: number, until?: Cancellation): Promise<void> {
    return new Promise((resolve) => {
      if (until?.aborted) return resolve();
      const leave = (): void => {
        until?.removeEventListener('abort', leave);
        leaveAlone();
        resolve();
      };
      const leaveAlone = this.after(life, 'goes on', milliseconds, leave);
      until?.addEventListener('abort', leave);
    });
  }

  /** The clock of a process. */
  clockOf = (life: Life): Clock => ({ now: this.milliseconds, sleep: (milliseconds, until) => this.pause(life, milliseconds, until) });

  #wait(waiting: Waiting): void {
    if (!waiting.life.isOver) this.#waiting.push(waiting);
  }

  /** What may continue now; if nothing may, time is advanced until something may. */
  #ready(): readonly Waiting[] {
    this.#waiting = this.#waiting.filter(({ life }) => !life.isOver);
    const isReady = ({ life, due, mayGoOn }: Waiting): boolean =>
      life.stoppedUntil <= this.#milliseconds && (due <= this.#milliseconds || mayGoOn());
    const ready = this.#waiting.filter(isReady);
    if (ready.length > 0 || this.#waiting.length === 0) return ready;
    this.#milliseconds = Math.min(...this.#waiting.map(({ life, due }) => Math.max(due, life.stoppedUntil)));
    return this.#waiting.filter(isReady);
  }

  /** Runs one step. False if nothing is left. */
  async step(): Promise<boolean> {
    await settled();
    const [first, ...others] = this.#ready();
    if (!first) return false;
    const next = this.random.oneOf([first, ...others]);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#milliseconds += this.random.upTo(LONGEST_STEP);
    this.trace.push(`${this.#milliseconds} ${next.life.name} ${next.what}`);
    next.resolve();
    return true;
  }
}
