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

/** So many appends at most are written without the function, by a statement for each number of them, which is planned once. */
const FEW = 16;
/** Of the columns of an event, in the order of its parameters. */
const TYPES = ['text', 'integer', 'uuid', 'text', 'json', 'json'] as const;

const appendFew = (count: number): { readonly name: string; readonly text: string } => {
  const events = Array.from({ length: count }, (_, event) => TYPES.map((type, column) => `$${event * TYPES.length + column + 1}::${type}`));
  const wanted = events.map(([stream, revision]) => `(${stream}, ${revision})`);
  const rows = events.map((columns, event) => `(${event + 1}, ${columns.join(', ')})`);
  return {
    name: `append-${count}`,
    text: `with head as (
        update log.head set position = position + ${count}
        where not exists (
          select from (values ${wanted.join(', ')}) as wanted (stream, revision)
          where wanted.revision <> 1 + coalesce((
            select newest.revision from log.events newest
            where newest.stream = wanted.stream collate "C" order by newest.revision desc limit 1
          ), -1)
        )
        returning position - ${count} as before
      )
      insert into log.events (position, stream, revision, event_id, type, data, metadata)
      select before + place, stream, revision, event_id, type, data, metadata
      from head, (values ${rows.join(', ')}) as event (place, stream, revision, event_id, type, data, metadata)
      returning position`,
  };
};

/**
 * A few appends of one event each, which is what nearly all are: two thirds of what the function costs beyond the commit. It writes nothing
 * when one of the streams does not end before its event; one that goes on at this moment breaks its unique index, and with the statement
 * go the positions that were taken.
 */
const APPEND_FEW = Array.from({ length: FEW }, (_, index) => appendFew(index + 1));
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

/** The positions of these events, one for each; undefined when a stream does not end before its event. */
const sendFew = async (pool: pg.Pool, statement: pg.QueryConfig, events: readonly SealedEvent[]): Promise<LogPosition[] | undefined> => {
  const values = events.flatMap(({ stream, revision, eventId, type, data, metadata }) => [stream, revision, eventId, type, data, metadata]);
  try {
    const { rows } = await pool.query<{ position: bigint }>({ ...statement, values });
    if (rows.length < events.length) return undefined;
    return rows.map(({ position }) => logPosition(position)).toSorted((one, other) => (one < other ? -1 : 1));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
};

/** Writes a batch of appends, each to another stream, in one commit; each is written as a whole or refused by itself. */
export const sendBatch = async (pool: pg.Pool, batch: readonly Waiting[]): Promise<readonly Outcome[]> => {
  const statement = APPEND_FEW[batch.length - 1];
  if (statement && batch.every(({ events }) => events.length === 1)) {
    const positions = await sendFew(
      pool,
      statement,
      batch.flatMap(({ events }) => events),
    );
    if (positions) return positions.map((position) => ({ written: true, position }));
  }
  const { rows } = await pool.query<Answer>({ ...APPEND, values: valuesOf(batch) });
  const [answer] = rows;
  if (!answer) throw new Error('log.append gave no answer');
  return outcomesOf(batch, answer);
};
