import { EventStoreUnavailable, type LogPosition, type Revision, type StreamHead, type StreamName } from '#domain/event-store.ts';
import { backOff } from './patience.ts';
import type { SealedEvent } from './stored-event.ts';

/** One append as it waits for its turn. */
export type Waiting = {
  readonly stream: StreamName;
  readonly expected: StreamHead;
  readonly events: readonly SealedEvent[];
};

/** Where its last event stands, or where its stream was instead of where it was expected. */
export type Outcome = { readonly written: true; readonly position: LogPosition } | { readonly written: false; readonly actual: Revision };

export type AppendQueue = {
  /** Throws `EventStoreUnavailable` when too many wait, or when there is no outcome in time. */
  append(waiting: Waiting): Promise<Outcome>;
  /** Comes back when nothing waits any more. */
  drained(): Promise<void>;
};

export type QueueParts = {
  /** Writes a batch in one commit. May be called again with the same batch: events that are there must be told by the caller. */
  readonly send: (batch: readonly Waiting[]) => Promise<readonly Outcome[]>;
  /** Whether a failure to send passes, so that sending again may help. */
  readonly isOutage: (error: unknown) => boolean;
  readonly answerWithin: number;
  readonly capacity: number;
};

const LARGEST_BATCH = 256;
/** From here on a second connection gathers the next batch while the first one commits; below, it would only halve the batches. */
const CROWD = 100;

type Entry = Waiting & { settled: boolean; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };

/**
 * Gathers the appends of a process into batches, a commit each: whatever arrives while one is under way goes with the next.
 * A batch holds at most one append of a stream, since each is checked against the stream as it was before the batch.
 */
export const appendQueue = ({ send, isOutage, answerWithin, capacity }: QueueParts): AppendQueue => {
  let queue: Entry[] = [];
  let writers = 0;
  let inFlight = 0;
  let isScheduled = false;
  const idle = new Set<() => void>();

  const takeBatch = (): Entry[] => {
    const batch = new Map<StreamName, Entry>();
    const later: Entry[] = [];
    let index = 0;
    for (; index < queue.length && batch.size < LARGEST_BATCH; index++) {
      const entry = queue[index];
      if (!entry || entry.settled) continue;
      if (batch.has(entry.stream)) later.push(entry);
      else batch.set(entry.stream, entry);
    }
    queue = later.concat(queue.slice(index));
    return [...batch.values()];
  };

  /** Sends again until all have an outcome or gave up waiting: events already there are known by their ids. */
  const deliver = async (batch: readonly Entry[]): Promise<void> => {
    let open = batch;
    for (let attempt = 1; open.length > 0; attempt++) {
      try {
        const outcomes = await send(open);
        open.forEach((entry, index) => {
          const outcome = outcomes[index];
          if (outcome) entry.resolve(outcome);
        });
        return;
      } catch (error) {
        if (!isOutage(error)) return failOrDivide(open, error);
        await backOff(attempt);
        open = open.filter((entry) => !entry.settled);
      }
    }
  };

  /** One append that the store cannot take must not take the others of its batch with it. */
  const failOrDivide = async (batch: readonly Entry[], error: unknown): Promise<void> => {
    if (batch.length === 1) batch[0]?.reject(error);
    else for (const entry of batch) await deliver([entry]);
  };

  const write = async (): Promise<void> => {
    const batch = takeBatch();
    writers += 1;
    inFlight += batch.length;
    await deliver(batch);
    writers -= 1;
    inFlight -= batch.length;
    schedule();
    if (writers === 0 && queue.length === 0) for (const tell of idle) tell();
  };

  /** Once all that has arrived by now was looked at: whoever asks in this moment goes along, and everybody whom the last batch woke. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const wanted = queue.length + inFlight >= CROWD ? 2 : 1;
      if (queue.length > 0 && writers < wanted) void write();
    });
  };

  return {
    append: (waiting) =>
      new Promise((resolve, reject) => {
        if (queue.length >= capacity) return reject(new EventStoreUnavailable(`${capacity} appends wait already`));
        const settle =
          <Value>(tell: (value: Value) => void) =>
          (value: Value): void => {
            clearTimeout(timer);
            entry.settled = true;
            tell(value);
          };
        const entry: Entry = { ...waiting, settled: false, resolve: settle(resolve), reject: settle(reject) };
        const timer = setTimeout(() => entry.reject(new EventStoreUnavailable(`No answer in ${answerWithin} ms`)), answerWithin);
        queue.push(entry);
        schedule();
      }),
    drained: async () => {
      if (writers > 0 || queue.length > 0) await new Promise<void>((resolve) => idle.add(resolve));
    },
  };
};
