import type { Cancellation } from '#domain/event-store.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import type { Clock } from '#projections/follower/clock.ts';

import type { SeededRandom } from '../journeys/seeded-random.ts';

/** An actor: a process, which may be killed, or a person. */
export class Life {
  readonly #mourners = new Set<() => void>();
  #isOver = false;
  /** The process is stopped until this time, in ms of the scheduler. */
  stoppedUntil = 0;

  constructor(readonly name: string) {}

  get isOver(): boolean {
    return this.#isOver;
  }

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
  /** Once this returns true, the actor may continue before it is due. */
  readonly mayGoOn: () => boolean;
  readonly resolve: () => void;
};

const never = (): boolean => false;

const OPENING = Date.UTC(2026, 10, 21, 4, 30);
/** A step takes less than this many ms. */
const LONGEST_STEP = 6;

/** Resolves when every actor waits for a step. There is no real I/O here, but batches wait for the end of a turn of the event loop. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

/**
 * Every call, answer and pause waits in the scheduler, and the random generator chooses which one continues, so that the seed alone decides
 * the order of everything. Time passes only in the scheduler's steps.
 */
export class Scheduler {
  /** The trace has one line per step, and is the same for the same seed. */
  readonly trace: string[] = [];
  #waiting: Waiting[] = [];
  #milliseconds = 0;

  constructor(readonly random: SeededRandom) {}

  readonly milliseconds = (): number => this.#milliseconds;
  readonly now = (): Instant => instant(new Date(OPENING + this.#milliseconds).toISOString());

  /** Resolves after at least this many ms, and never if the actor has ended by then. */
  turn(life: Life, what: string, after = 0): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + after, mayGoOn: never, resolve }));
  }

  /** Resolves once the condition is true, and after `atMost` ms at the latest. */
  until(life: Life, what: string, mayGoOn: () => boolean, atMost: number): Promise<void> {
    return new Promise((resolve) => this.#wait({ life, what, due: this.#milliseconds + atMost, mayGoOn, resolve }));
  }

  /** Calls back after this many ms, unless the returned function is called first. */
  after(life: Life, what: string, milliseconds: number, callback: () => void): () => void {
    const waiting = { life, what, due: this.#milliseconds + milliseconds, mayGoOn: never, resolve: callback };
    this.#wait(waiting);
    return () => void (this.#waiting = this.#waiting.filter((each) => each !== waiting));
  }

  /** Resolves after this many ms, or as soon as `until` is aborted. */
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

  /** Returns the waiting actors that may continue. If there are none, time advances until there are. */
  #ready(): readonly Waiting[] {
    this.#waiting = this.#waiting.filter(({ life }) => !life.isOver);
    const isReady = ({ life, due, mayGoOn }: Waiting): boolean =>
      life.stoppedUntil <= this.#milliseconds && (due <= this.#milliseconds || mayGoOn());
    const ready = this.#waiting.filter(isReady);
    if (ready.length > 0 || this.#waiting.length === 0) return ready;
    this.#milliseconds = Math.min(...this.#waiting.map(({ life, due }) => Math.max(due, life.stoppedUntil)));
    return this.#waiting.filter(isReady);
  }

  /** Runs one step. Returns false if no actor is waiting. */
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
