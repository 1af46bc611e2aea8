import type { Cancellation } from '#domain/event-store.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { Clock } from '#projections/follower/clock.ts';

import type { SeededRandom } from '../journeys/seeded-random.ts';

/** An actor: a process, which may be killed, or a person. */
export class Life {
  readonly #mourners = new Set<() => void>();
  #isOver = false;
  /** In ms of the scheduler: until then its process is stopped. */
  stoppedUntil = 0;

  constructor(readonly name: string) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The returned function removes the callback. */
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
  /** Once true, it may continue before it is due. */
  readonly mayGoOn: () => boolean;
  readonly resolve: () => void;
};

const never = (): boolean => false;

const OPENING = Date.UTC(2026, 10, 21, 4, 30);
/** Between two steps, in ms. */
const LONGEST_STEP = 6;

/** Resolves when every actor waits for a step: nothing here waits for real I/O, but batches wait for the end of a turn of the event loop. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

/**
 * Every call, answer and pause waits here, and the random generator chooses which continues, one at a time: so the seed alone decides the
 * order of everything. Time passes only in the scheduler's steps.
 */
export class Scheduler {
  /** One line a step: the same for the same seed. */
  readonly trace: string[] = [];
  #waiting: Waiting[] = [];
  #milliseconds = 0;

  constructor(readonly random: SeededRandom) {}

  readonly milliseconds = (): number => this.#milliseconds;
  readonly now = (): Instant => instant(new Date(OPENING + this.#milliseconds).toISOString());

  /** Resolves after this many milliseconds at the earliest; never if the actor has ended by then. */
  turn(life: Life, what: string, after = 0): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + after, mayGoOn: never, resolve }));
  }

  /** Resolves once the condition is true, and after this many milliseconds at the latest. */
  until(life: Life, what: string, mayGoOn: () => boolean, atMost: number): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + atMost, mayGoOn, resolve }));
  }

  /** Unless the returned function was called before. */
  after(life: Life, what: string, milliseconds: number, callback: () => void): () => void {
    const waiting = { life, what, due: this.#milliseconds + milliseconds, mayGoOn: never, resolve: callback };
    this.#wait(waiting);
    return () => void (this.#waiting = this.#waiting.filter((each) => each !== waiting));
  }

  /** Or as soon as `until` is aborted. */
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

  clockOf = (life: Life): Clock => ({ now: this.milliseconds, sleep: (milliseconds, until) => this.pause(life, milliseconds, until) });

  #wait(waiting: Waiting): void {
    if (!waiting.life.isOver) this.#waiting.push(waiting);
  }

  /** If nothing may continue, time is advanced until something may. */
  #ready(): readonly Waiting[] {
    this.#waiting = this.#waiting.filter(({ life }) => !life.isOver);
    const isReady = ({ life, due, mayGoOn }: Waiting): boolean =>
      life.stoppedUntil <= this.#milliseconds && (due <= this.#milliseconds || mayGoOn());
    const ready = this.#waiting.filter(isReady);
    if (ready.length > 0 || this.#waiting.length === 0) return ready;
    this.#milliseconds = Math.min(...this.#waiting.map(({ life, due }) => Math.max(due, life.stoppedUntil)));
    return this.#waiting.filter(isReady);
  }

  /** False if nothing is left. */
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
