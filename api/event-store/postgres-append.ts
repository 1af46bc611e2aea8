import pg from 'pg';
import { logPosition } from '#domain/event-store.ts';
import type { Outcome, Waiting } from './append-queue.ts';
import { hashIn } from './chain.ts';

/** The control character that parts texts: JSON text escapes it, and no name may hold one. */
const SEPARATOR = '\x1e';
const joined = (texts: readonly string[]): string => texts.join(SEPARATOR);

const APPEND = {
  name: 'append',
  text: 'select before, refused, actual from log.append($1, $2, $3, $4, $5, $6, $7, $8)',
};

/** Stands for "not the first event of its append" where the hash of the event before is named. */
const NOT_FIRST = '-';

type Answer = { before: bigint | null; refused: readonly string[] | null; actual: readonly number[] | null };

const valuesOf = (batch: readonly Waiting[]): unknown[] => {
  const events = batch.flatMap((append) => append.events);
  return [
    joined(events.map((event) => event.stream)),
    events.map((event) => event.revision),
    joined(events.map((event) => event.eventId)),
    joined(events.map((event) => event.type)),
    joined(events.map((event) => event.data)),
    joined(events.map((event) => event.metadata)),
    joined(batch.flatMap((append) => append.events.map((_, index) => (index === 0 ? append.expected.hash : NOT_FIRST)))),
    joined(events.map((event) => hashIn(event.metadata))),
  ];
};

const outcomesOf = (batch: readonly Waiting[], { before, refused, actual }: Answer): readonly Outcome[] => {
  const revisions = new Map(refused?.map((stream, index) => [stream, actual?.[index] ?? -1]));
  let position = before ?? 0n;
  return batch.map((append) => {
    const found = revisions.get(append.stream);
    if (found !== undefined) return { written: false, actual: found };
    position += BigInt(append.events.length);
    return { written: true, position: logPosition(position) };
  });
};

const wentOn = (error: unknown): boolean => error instanceof pg.DatabaseError && error.constraint === 'events_stream_revision_key';

/** Writes a batch of appends, each to another stream, in one commit; each is written as a whole or refused by itself. */
export const sendBatch = async (pool: pg.Pool, batch: readonly Waiting[]): Promise<readonly Outcome[]> => {
  for (;;) {
    try {
      const { rows } = await pool.query<Answer>({ ...APPEND, values: valuesOf(batch) });
      const [answer] = rows;
      if (!answer) throw new Error('log.append gave no answer');
      return outcomesOf(batch, answer);
    } catch (error) {
      // Another process appended to one of the streams after the function had looked at it. Asked again, it sees that and refuses that one.
      if (!wentOn(error)) throw error;
    }
  }
};
