import type pg from 'pg';
import { logPosition, START, type Category, type LogPosition, type Revision, type StreamName } from '#domain/event-store.ts';
import { persistently } from './postgres-connections.ts';
import { isWholeLog, type StoredEvent } from './stored-event.ts';

const COLUMNS = 'position, stream, revision, event_id as "eventId", type, data, metadata';

const STREAM = {
  name: 'stream',
  text: `select ${COLUMNS} from log.events where stream = $1 and revision > $2 order by revision limit $3`,
};
const PAGE = { name: 'page', text: `select ${COLUMNS} from log.events where position > $1 order by position limit $2` };
/** One walk along the index for each category, merged: a follower of a rare one does not read the others' events. */
const PAGE_OF = {
  name: 'page-of',
  text: `select event.* from unnest($3::text[]) as wanted (category) cross join lateral (
      select ${COLUMNS} from log.events
      where split_part(stream, '-', 1) = wanted.category collate "C" and position > $1 order by position limit $2
    ) event order by event.position limit $2`,
};
const AT = { name: 'at', text: `select ${COLUMNS} from log.events where position = $1` };
const HEAD = {
  name: 'head',
  text: `select max(event.position) as position from unnest($1::text[]) as wanted (category) cross join lateral (
      select position from log.events
      where split_part(stream, '-', 1) = wanted.category collate "C" order by position desc limit 1
    ) event`,
};

export type StoredRows = {
  stream(stream: StreamName, after: Revision, limit?: number): Promise<readonly StoredEvent[]>;
  page(after: LogPosition, limit: number, categories: readonly Category[]): Promise<readonly StoredEvent[]>;
  at(position: LogPosition): Promise<StoredEvent | undefined>;
  head(categories: readonly Category[]): Promise<LogPosition>;
};

/** What is asked of the table of events. Reading may be asked twice, so that a lost connection costs time and no answer. */
export const storedRows = (pool: pg.Pool, answerWithin: number): StoredRows => {
  const ask = async <Row extends object>(query: { name: string; text: string }, values: unknown[]): Promise<Row[]> => {
    if (pool.ending) throw new Error('The event store is closed');
    return (await persistently(answerWithin, () => pool.query<Row>({ ...query, values }))).rows;
  };

  return {
    stream: (stream, after, limit) => ask(STREAM, [stream, after, limit]),
    page: (after, limit, categories) => (isWholeLog(categories) ? ask(PAGE, [after, limit]) : ask(PAGE_OF, [after, limit, categories])),
    at: async (position) => (await ask<StoredEvent>(AT, [position])).at(0),
    head: async (categories) => {
      const [newest] = await ask<{ position: bigint | null }>(HEAD, [categories]);
      return newest?.position ? logPosition(newest.position) : START;
    },
  };
};
