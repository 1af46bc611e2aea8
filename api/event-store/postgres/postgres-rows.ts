import type pg from 'pg';
import { logPosition, START, type Category, type LogPosition, type Revision, type StreamName } from '#domain/event-store.ts';
import { batcher } from '../../platform/batcher.ts';
import { askWithin, retryUntilTimeout } from './postgres-connections.ts';
import { firstSegment, isWholeLog, type LogSeal, type StoredEvent } from '../stored-event.ts';

const COLUMNS = 'position, stream, revision, event_id as "eventId", type, data, metadata';

const STREAM = {
  name: 'stream',
  text: `select ${COLUMNS} from log.events where stream = $1 and revision > $2 order by revision limit $3`,
};
const STREAMS = {
  name: 'streams',
  text: `select wanted.place, event.* from unnest($1::text[], $2::integer[]) with ordinality as wanted (stream, after, place)
    cross join lateral (
      select ${COLUMNS} from log.events where stream = wanted.stream collate "C" and revision > wanted.after
    ) event order by wanted.place, event.revision`,
};
/** The rows are ordered by stream, along the index of streams and revisions. */
const BY_STREAM = {
  name: 'by-stream',
  text: `select ${COLUMNS} from log.events where (stream, revision) > ($1 collate "C", $2::integer) and position <= $4
    order by stream, revision limit $3`,
};
const PAGE = { name: 'page', text: `select ${COLUMNS} from log.events where position > $1 order by position limit $2` };
/**
 * Merges one index scan for each category, so that a follower of a rare category does not read the others' events. The category is a range
 * and part of the ordering on purpose: with `=` the planner drops it from the order and scans the whole log.
 */
export const PAGE_OF = {
  name: 'page-of',
  text: `select event.* from unnest($3::text[]) as wanted (category) cross join lateral (
      select ${COLUMNS} from log.events
      where (split_part(stream, '-', 1), position) > (wanted.category collate "C", $1)
        and split_part(stream, '-', 1) <= wanted.category collate "C"
      order by split_part(stream, '-', 1), position limit $2
    ) event order by event.position limit $2`,
};
const AT = { name: 'at', text: `select ${COLUMNS} from log.events where position = $1` };
export const HEAD = {
  name: 'head',
  text: `select max(event.position) as position from unnest($1::text[]) as wanted (category) cross join lateral (
      select position from log.events
      where split_part(stream, '-', 1) between (wanted.category collate "C") and (wanted.category collate "C")
      order by split_part(stream, '-', 1) desc, position desc limit 1
    ) event`,
};

const END = { name: 'end', text: 'select max(position) as position from log.events' };

const SEALS = {
  name: 'seals',
  text: `select position, coalesce(encode(rolling_hash, 'hex'), '') as "rollingHash" from log.events where position between $1 and $2 order by position`,
};
const SEALED_HEAD = { name: 'sealed-head', text: `select position, encode(rolling_hash, 'hex') as "rollingHash" from log.head` };

type Wanted = { readonly stream: StreamName; readonly after: Revision };
/** Larger batches would delay the other callers. */
const AT_ONCE = 32;

/** Reads are idempotent, so that a lost connection costs only time. */
export const storedRows = (pool: pg.Pool, answerWithin: number) => {
  const ask = async <Row extends object>(query: { name: string; text: string }, values: unknown[]): Promise<Row[]> => {
    if (pool.ending) throw new Error('The event store is closed');
    return retryUntilTimeout(answerWithin, () => askWithin<Row>(pool, answerWithin, { ...query, values }));
  };

  const whole = batcher(async (wanted: readonly Wanted[]): Promise<readonly (readonly StoredEvent[])[]> => {
    const [only, ...others] = wanted;
    if (only && others.length === 0) return [await ask<StoredEvent>(STREAM, [only.stream, only.after, null])];
    const rows = await ask<StoredEvent & { place: bigint }>(STREAMS, [
      wanted.map(({ stream }) => stream),
      wanted.map(({ after }) => after),
    ]);
    const found = wanted.map((): StoredEvent[] => []);
    for (const { place, ...event } of rows) found[Number(place) - 1]?.push(event);
    return found;
  }, AT_ONCE);

  const findNewest = async (query: { name: string; text: string }, values: unknown[]): Promise<LogPosition> => {
    const [newest] = await ask<{ position: bigint | null }>(query, values);
    return newest?.position ? logPosition(newest.position) : START;
  };

  return {
    /** Concurrent calls share one query. */
    whole: (stream: StreamName, after: Revision) => whole({ stream, after }),
    stream: (stream: StreamName, after: Revision, limit: number) => ask<StoredEvent>(STREAM, [stream, after, limit]),
    byStream: (after: Pick<StoredEvent, 'stream' | 'revision'> | undefined, limit: number, to: LogPosition) =>
      ask<StoredEvent>(BY_STREAM, [after?.stream ?? '', after?.revision ?? -1, limit, to]),
    page: (after: LogPosition, limit: number, categories: readonly Category[]) =>
      isWholeLog(categories)
        ? ask<StoredEvent>(PAGE, [after, limit])
        : ask<StoredEvent>(PAGE_OF, [after, limit, categories.map(firstSegment)]),
    at: async (position: LogPosition) => (await ask<StoredEvent>(AT, [position])).at(0),
    head: (categories: readonly Category[]) => findNewest(HEAD, [categories.map(firstSegment)]),
    end: () => findNewest(END, []),
    seals: (from: LogPosition, to: LogPosition) => ask<LogSeal>(SEALS, [from, to]),
    sealedHead: async () => {
      const [head] = await ask<LogSeal>(SEALED_HEAD, []);
      if (!head) throw new Error('log.head has no row');
      return head;
    },
  };
};
