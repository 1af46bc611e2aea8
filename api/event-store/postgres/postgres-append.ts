import pg from 'pg';
import {
  EventStoreUnavailable,
  logPosition,
  type LogPosition,
  type Revision,
  type StreamHead,
  type StreamName,
} from '#domain/event-store.ts';
import { batcher } from '../../platform/batcher.ts';
import { parseHash } from '../chain.ts';
import { backOff } from '../../platform/retry.ts';
import { APPEND_NAME } from './append-function.ts';
import { isOutage } from './postgres-connections.ts';
import type { SealedEvent } from '../stored-event.ts';

export type Append = { readonly stream: StreamName; readonly expected: StreamHead; readonly events: readonly SealedEvent[] };

/** The outcome has the position of the last event, or the stream's actual revision when another one was expected. */
export type WriteOutcome =
  { readonly written: true; readonly position: LogPosition } | { readonly written: false; readonly actual: Revision };

export type GroupCommitParts = {
  readonly pool: pg.Pool;
  readonly answerWithin: number;
  /** More appends than this are refused while they would wait in the queue. */
  readonly capacity: number;
  readonly onCommit: (outcomes: readonly WriteOutcome[]) => void;
};

const LARGEST_BATCH = 256;

/** JSON texts as one JSON array: Postgres reads it faster than a `json[]`, which quotes each of them again. */
const jsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;

const APPEND = {
  name: 'append',
  text: `select before, refused, actual from log.${APPEND_NAME}($1, $2, $3, $4, $5, $6, $7, $8)`,
};

type Answer = { before: bigint | null; refused: readonly string[] | null; actual: readonly number[] | null };

const listValues = (batch: readonly Append[]): unknown[] => {
  const events = batch.flatMap((append) => append.events);
  return [
    events.map((event) => event.stream),
    events.map((event) => event.revision),
    events.map((event) => event.eventId),
    events.map((event) => event.type),
    jsonArray(events.map((event) => event.data)),
    jsonArray(events.map((event) => event.metadata)),
    // Null for all but the first event of an append.
    batch.flatMap((append) => append.events.map((_, index) => (index === 0 ? append.expected.hash : null))),
    events.map((event) => parseHash(event.metadata)),
  ];
};

const parseOutcomes = (batch: readonly Append[], { before, refused, actual }: Answer): readonly WriteOutcome[] => {
  const revisions = new Map(refused?.map((stream, index) => [stream, actual?.[index] ?? -1]));
  let position = before ?? 0n;
  return batch.map((append) => {
    const found = revisions.get(append.stream);
    if (found !== undefined) return { written: false, actual: found };
    position += BigInt(append.events.length);
    return { written: true, position: logPosition(position) };
  });
};

const isStreamMoved = (error: unknown): boolean => error instanceof pg.DatabaseError && error.constraint === 'events_stream_revision_key';

/** Appends to different streams in one commit. Each append is written completely or refused, whatever happens to the others. */
const sendBatch = async (pool: pg.Pool, batch: readonly Append[]): Promise<readonly WriteOutcome[]> => {
  for (;;) {
    try {
      const { rows } = await pool.query<Answer>({ ...APPEND, values: listValues(batch) });
      const [answer] = rows;
      if (!answer) throw new Error(`log.${APPEND_NAME} returned no row`);
      return parseOutcomes(batch, answer);
    } catch (error) {
      // Another process appended to one of the streams after the function had read it. When the batch is resent, only that append is
      // refused.
      if (!isStreamMoved(error)) throw error;
    }
  }
};

type Waiting = Append & { isSettled: boolean; resolve: (outcome: WriteOutcome) => void; reject: (error: unknown) => void };

/** Groups appends so that a round has at most one for each stream, since each is checked against its stream as it was before the round. */
const inRounds = (batch: readonly Waiting[]): readonly (readonly Waiting[])[] => {
  const rounds: Waiting[][] = [];
  const counts = new Map<StreamName, number>();
  for (const waiting of batch) {
    const round = counts.get(waiting.stream) ?? 0;
    counts.set(waiting.stream, round + 1);
    (rounds[round] ??= []).push(waiting);
  }
  return rounds;
};

/**
 * Commits appends in groups: those that arrive during a commit share the next one. An append that is resent after a failure recognises its
 * own events by their hash.
 */
export const groupCommit = ({ pool, answerWithin, capacity, onCommit }: GroupCommitParts) => {
  const pending = new Set<Promise<unknown>>();
  let queued = 0;

  /** Retries until there are outcomes, or until all callers have timed out. */
  const deliver = async (round: readonly Waiting[]): Promise<void> => {
    let open = round.filter(({ isSettled }) => !isSettled);
    for (let attempt = 1; open.length > 0; attempt++) {
      try {
        const outcomes = await sendBatch(pool, open);
        onCommit(outcomes);
        for (const [index, outcome] of outcomes.entries()) open[index]?.resolve(outcome);
        return;
      } catch (error) {
        if (!isOutage(error)) return failOrDivide(open, error);
        await backOff(attempt);
        open = open.filter(({ isSettled }) => !isSettled);
      }
    }
  };

  /** An append that the database rejects must not fail the others of its batch. */
  const failOrDivide = async (round: readonly Waiting[], error: unknown): Promise<void> => {
    if (round.length === 1) round[0]?.reject(error);
    else for (const waiting of round) await deliver([waiting]);
  };

  const commit = batcher(async (batch: readonly Waiting[]) => {
    queued -= batch.length;
    for (const round of inRounds(batch)) await deliver(round);
    return batch;
  }, LARGEST_BATCH);

  const enqueue = (append: Append): Promise<WriteOutcome> =>
    new Promise((resolve, reject) => {
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(timer);
          waiting.isSettled = true;
          end(value);
        };
      const waiting: Waiting = { ...append, isSettled: false, resolve: settle(resolve), reject: settle(reject) };
      const timer = setTimeout(() => waiting.reject(new EventStoreUnavailable(`No response within ${answerWithin} ms`)), answerWithin);
      queued += 1;
      const committed = commit(waiting).finally(() => pending.delete(committed));
      pending.add(committed);
    });

  return {
    /** Throws `EventStoreUnavailable` when too many appends are queued, or when there is no result in time. */
    append: async (append: Append): Promise<WriteOutcome> => {
      if (queued >= capacity) throw new EventStoreUnavailable(`${capacity} appends are queued already`);
      return enqueue(append);
    },
    drained: async (): Promise<void> => void (await Promise.all(pending)),
  };
};
