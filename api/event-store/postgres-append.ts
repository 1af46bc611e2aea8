import pg from 'pg';
import { logPosition, type LogPosition } from '#domain/event-store.ts';
import type { Outcome, Waiting } from './append-queue.ts';
import type { SealedEvent } from './stored-event.ts';

/** The control character that parts texts: JSON text escapes it, and no name may hold one. */
const SEPARATOR = '\x1e';
const joined = (texts: readonly string[]): string => texts.join(SEPARATOR);

const APPEND = {
  name: 'append',
  text: 'select before, refused, actual from log.append($1, $2, $3, $4, $5, $6, $7, $8)',
};

/**
 * A single event on its own, which in a quiet hour is every append, in one statement: less than half of what the function costs
 * beyond the commit. It writes nothing when the event before it is missing; a stream that went on breaks its unique index, and
 * with the statement goes the position that was taken.
 */
const APPEND_ONE = {
  name: 'append-one',
  text: `with place as (
      update log.head set position = position + 1
      where ($2 = 0 or exists (select from log.events where stream = $1 and revision = $2 - 1))
        and not exists (select from log.events where stream = $1 and revision = $2)
      returning position
    )
    insert into log.events (position, stream, revision, event_id, type, data, metadata)
    select position, $1, $2, $3, $4, $5, $6 from place returning position`,
};
const UNIQUE_VIOLATION = '23505';

type Answer = { before: bigint; refused: readonly string[] | null; actual: readonly number[] | null };

const valuesOf = (batch: readonly Waiting[]): unknown[] => {
  const events = batch.flatMap((append) => append.events);
  return [
    joined(batch.map((append) => append.stream)),
    batch.map((append) => append.expected),
    joined(events.map((event) => event.stream)),
    events.map((event) => event.revision),
    joined(events.map((event) => event.eventId)),
    joined(events.map((event) => event.type)),
    joined(events.map((event) => event.data)),
    joined(events.map((event) => event.metadata)),
  ];
};

const outcomesOf = (batch: readonly Waiting[], { before, refused, actual }: Answer): readonly Outcome[] => {
  const revisions = new Map(refused?.map((stream, index) => [stream, actual?.[index] ?? -1]));
  let position = before;
  return batch.map((append) => {
    const found = revisions.get(append.stream);
    if (found !== undefined) return { written: false, actual: found };
    position += BigInt(append.events.length);
    return { written: true, position: logPosition(position) };
  });
};

/** Where the event stands now; undefined when its stream does not end before it. */
const sendOne = async (
  pool: pg.Pool,
  { stream, revision, eventId, type, data, metadata }: SealedEvent,
): Promise<LogPosition | undefined> => {
  try {
    const { rows } = await pool.query<{ position: bigint }>({ ...APPEND_ONE, values: [stream, revision, eventId, type, data, metadata] });
    return rows[0] && logPosition(rows[0].position);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
};

/** Writes a batch of appends, each to another stream, in one commit; each is written as a whole or refused by itself. */
export const sendBatch = async (pool: pg.Pool, batch: readonly Waiting[]): Promise<readonly Outcome[]> => {
  const [only, ...others] = batch.flatMap((append) => append.events);
  if (only && others.length === 0) {
    const position = await sendOne(pool, only);
    if (position !== undefined) return [{ written: true, position }];
  }
  const { rows } = await pool.query<Answer>({ ...APPEND, values: valuesOf(batch) });
  const [answer] = rows;
  if (!answer) throw new Error('log.append gave no answer');
  return outcomesOf(batch, answer);
};
