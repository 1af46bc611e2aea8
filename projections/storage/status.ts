import { START, type Feed, type LogPosition } from '#domain/event-store.ts';

import type { ReadDatabase } from '../database.ts';
import type { Projector } from '../engine/define-projector.ts';
import { CHECKPOINT_COLUMNS, readCheckpointEvent, type CheckpointRow } from './checkpoints.ts';
import { isRewound, type ReadableLog } from '../follower/log-rewind.ts';

export type ReadModelStatus = {
  readonly model: string;
  readonly version: number;
  readonly position: LogPosition;
  /** The value is true if the tables are complete. The first worker that runs a new version builds it. */
  readonly built: boolean;
  /** The number of events in the log that are not applied yet, counted up to `MOST_LAG_COUNTED`, and the age of the oldest one. */
  readonly lag: { readonly events: number; readonly seconds: number };
  readonly parked: { readonly streams: number; readonly events: number };
  /** Counts the skipped events whose type this release does not know. */
  readonly unknown: number;
  readonly holder: string | undefined;
  /** The value is true if the log is not the one from which it was built (see `LogRewound`). */
  readonly rewound: boolean;
};

/** The lag is counted up to this number. */
export const MOST_LAG_COUNTED = 100_000;
const PAGE = 2_000;

const measureLag = async (
  feed: Feed,
  { categories }: Projector,
  position: LogPosition,
  now: Date,
  counted: number,
): Promise<ReadModelStatus['lag']> => {
  let [events, from, seconds] = [0, position, 0];
  while (events < counted) {
    const page = await feed.page(from, PAGE, categories);
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) break;
    if (events === 0) seconds = Math.max(0, (now.getTime() - Date.parse(first.metadata.recordedAt)) / 1_000);
    events += page.length;
    from = last.position;
    if (page.length < PAGE) break;
  }
  return { events, seconds };
};

type Row = CheckpointRow & { isHeld: boolean | null; unknown_events: number; parked_streams: number; parked_events: number };

/** Reads the status of a read model at `now`; its lag is counted up to `counted`. */
export const readStatus = async (
  projector: Projector,
  log: ReadableLog,
  { pool }: Pick<ReadDatabase, 'pool'>,
  now: Date,
  counted = MOST_LAG_COUNTED,
): Promise<ReadModelStatus> => {
  const { name, version } = projector;
  const { rows } = await pool.query<Row>(
    `select ${CHECKPOINT_COLUMNS}, unknown_events, held_until > clock_timestamp() as "isHeld", parked.*
     from read.checkpoints
     cross join lateral (
       select count(distinct parked.stream)::integer as parked_streams, count(*)::integer as parked_events from read.parked
       where (parked.model, parked.version, parked.slot) = (checkpoints.model, checkpoints.version, checkpoints.slot)
     ) parked
     where model = $1 and version = $2 and slot = 'live'`,
    [name, version],
  );
  const [row] = rows;
  const place = row && readCheckpointEvent(row);
  const position = place?.position ?? START;
  return {
    model: name,
    version,
    position,
    built: row?.built ?? false,
    lag: await measureLag(log, projector, position, now, counted),
    parked: { streams: row?.parked_streams ?? 0, events: row?.parked_events ?? 0 },
    unknown: row?.unknown_events ?? 0,
    holder: (row?.isHeld && row.holder) || undefined,
    rewound: place !== undefined && (await isRewound(log, place)),
  };
};

export const isBuilt = async ({ name, version }: Projector, { pool }: Pick<ReadDatabase, 'pool'>): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select 1 from read.checkpoints where model = $1 and version = $2 and slot = 'live' and built_at is not null`,
    [name, version],
  );
  return rowCount === 1;
};
