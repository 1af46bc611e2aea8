import {
  EventStoreUnavailable,
  type Cancellation,
  type Category,
  type Feed,
  type LogPosition,
  type Recorded,
} from '#domain/event-store.ts';
import { backOff } from '../platform/retry.ts';
import { firstSegment } from './stored-event.ts';

type Page = readonly Recorded[];

/** A batch has the events of all categories that were read from the log together. */
export type LogBatch = {
  readonly events: Page;
  /** The log was read up to this position, which is that of the last event or later. */
  readonly position: LogPosition;
  /** The time by `performance.now` before the keys of personal fields were looked up. */
  readonly readAt: number;
};

/** The log was replaced by an older one, so that new events do not continue what was read. */
export class LogReplaced extends Error {
  override readonly name = 'LogReplaced';
  constructor(position: LogPosition) {
    super(`What was read at ${position} is no longer in the log: an older one was restored`);
  }
}

export type TailSource = {
  page: Feed['page'];
  end(): Promise<LogPosition>;
  /**
   * Yields the log after a position, then new events. Survives outages. Ends without an error when `until` is aborted; throws when the log
   * cannot be followed any further (incomplete, replaced, store closed).
   */
  tail(after: LogPosition, until: Cancellation): AsyncIterable<LogBatch>;
};

/**
 * A decoded event is given to followers for this many ms; later followers read it again. So no personal data stays readable longer than
 * this after an erasure.
 */
export const OPEN_FOR = 250;

/** The tail keeps this many events for followers that have not read them yet. */
const MOST_KEPT = 2_000;
const PAGE = 1_000;

type Limits = { readonly mostKept: number; readonly page: number; readonly now: () => number };

type Kept = {
  /** The batch before this one ended at this position. */
  readonly after: LogPosition;
  readonly readAt: number;
  readonly events: readonly { readonly prefix: string; readonly event: Recorded }[];
};

/** Retries while the store is unavailable, because followers must survive outages. Returns undefined when `until` is aborted first. */
export const retryUntilAvailable = async <Answer>(until: Cancellation, work: () => Promise<Answer>): Promise<Answer | undefined> => {
  for (let attempt = 1; !until.aborted; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      await backOff(attempt, until);
    }
  }
  return undefined;
};

/** Reads new events for all followers, from the log's end at the time when it starts. */
class Tail {
  /** The value is undefined until the end of the log is known. */
  position: LogPosition | undefined;
  isOver = false;
  error: unknown;
  readonly #ending = new AbortController();
  readonly #waiting = new Set<() => void>();
  #kept: Kept[] = [];
  #count = 0;
  #followers = 0;

  constructor(
    readonly source: TailSource,
    readonly limits: Limits,
  ) {}

  async read(): Promise<void> {
    const { signal } = this.#ending;
    try {
      this.position = await retryUntilAvailable(signal, () => this.source.end());
      if (this.position === undefined) return;
      this.#wake();
      for await (const batch of this.source.tail(this.position, signal)) {
        this.#keep(batch);
        this.#wake();
      }
    } catch (error) {
      this.error = error;
    } finally {
      this.isOver = true;
      this.#wake();
    }
  }

  join(): void {
    this.#followers += 1;
  }

  /** The last follower that leaves ends the tail. */
  leave(): void {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.isOver = true;
    this.#ending.abort();
  }

  /** Returns the events of these categories after a position; undefined when some of them are no longer kept. */
  after(position: LogPosition, categories: readonly Category[]): Page | undefined {
    this.#drop();
    const keptFrom = this.#kept[0]?.after ?? this.position;
    if (keptFrom === undefined || position < keptFrom) return undefined;
    const prefixes = categories.map(firstSegment);
    // The search begins at the end, because most followers lack only the newest of many events.
    const missing = this.#kept.slice(this.#kept.findLastIndex(({ after }) => after <= position));
    return missing.flatMap(({ events }) =>
      events.filter(({ prefix, event }) => event.position > position && prefixes.includes(prefix)).map(({ event }) => event),
    );
  }

  /** Resolves when more was read, when the tail has ended, or when `until` is aborted. */
  changed(until: Cancellation): Promise<void> {
    return new Promise((resolve) => {
      const leave = (): void => {
        until.removeEventListener('abort', leave);
        this.#waiting.delete(leave);
        resolve();
      };
      until.addEventListener('abort', leave);
      this.#waiting.add(leave);
      if (until.aborted || this.isOver) leave();
    });
  }

  #wake(): void {
    for (const leave of this.#waiting) leave();
  }

  #keep({ events, position, readAt }: LogBatch): void {
    const after = this.position ?? position;
    this.position = position;
    if (events.length === 0) return;
    this.#kept.push({ after, readAt, events: events.map((event) => ({ prefix: firstSegment(event.stream), event })) });
    this.#count += events.length;
    this.#drop();
  }

  /** Drops events that were decoded too long ago, and the oldest when there are too many. */
  #drop(): void {
    const { mostKept, now } = this.limits;
    const oldest = now() - OPEN_FOR;
    let first = this.#kept[0];
    while (first && (first.readAt < oldest || this.#count > mostKept)) {
      this.#count -= first.events.length;
      this.#kept.shift();
      first = this.#kept[0];
    }
  }
}

/**
 * Is the only reader of a log in a process. Its tail runs while there are followers, and decodes each event once for all followers of its
 * category. A follower that is new, or slower than what the tail keeps, reads its own pages until it has caught up, so that it delays no
 * other. An error of the tail ends all followers; the next one starts a new tail.
 */
export const logReader = (source: TailSource, limits: Partial<Limits> = {}): Pick<Feed, 'follow'> => {
  const all = { mostKept: MOST_KEPT, page: PAGE, now: () => performance.now(), ...limits };
  let current: Tail | undefined;

  const joinTail = (): Tail => {
    if (!current || current.isOver) {
      current = new Tail(source, all);
      void current.read();
    }
    current.join();
    return current;
  };

  async function* follow(after: LogPosition, categories: readonly Category[], until: Cancellation): AsyncGenerator<Page, void, undefined> {
    if (until.aborted) return;
    const tail = joinTail();
    try {
      let position = after;
      while (!until.aborted) {
        if (tail.error !== undefined) throw tail.error;
        if (tail.isOver) return;
        const readUpTo = tail.position;
        if (readUpTo === undefined) {
          await tail.changed(until);
          continue;
        }
        const recent = tail.after(position, categories);
        if (!recent) {
          // The page includes everything that the tail had read before it, unless the page is full.
          const page = await retryUntilAvailable(until, () => source.page(position, all.page, categories));
          if (!page) return;
          const last = page.at(-1)?.position ?? position;
          position = page.length < all.page && readUpTo > last ? readUpTo : last;
          if (page.length > 0 && !until.aborted) yield page;
          continue;
        }
        if (readUpTo > position) position = readUpTo;
        if (recent.length > 0) yield recent;
        else await tail.changed(until);
      }
    } finally {
      tail.leave();
    }
  }

  return { follow };
};
