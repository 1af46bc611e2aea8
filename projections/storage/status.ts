import { sql, type Kysely } from 'kysely';

import { START, type Feed, type LogPosition } from '#domain/event-store.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadDatabase, ReadModels } from '../database.ts';
import type { Projector } from '../engine/define-projector.ts';
import { readCheckpointEvent } from './checkpoints.ts';
import { prepare, type Given } from './prepare.ts';
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

/** Selects the parked events of the live tables. */
export const selectParked = (db: Kysely<ReadModels>, { name, version }: Pick<Projector, 'name' | 'version'>) =>
  db
    .selectFrom('parked')
    .select(['position', 'stream'])
    .where('model', '=', name)
    .where('version', '=', version)
    .where('slot', '=', 'live');

/** Finds the checkpoint of the live tables, if they are built. */
export const findBuilt = prepare((db: Kysely<ReadModels>, given: Given<Pick<Projector, 'name' | 'version'>>) =>
  db
    .selectFrom('checkpoints')
    .select(['position', 'epoch'])
    .where('model', '=', given('name'))
    .where('version', '=', given('version'))
    .where('slot', '=', 'live')
    .where('built_at', 'is not', null),
);

/** The lag is counted up to this number. */
export const MOST_LAG_COUNTED = 100_000;
const PAGE = 2_000;

/** Counts the events after the position up to `counted`, and the seconds that the first of them has waited at `now`. */
export const measureLag = async (
  feed: Feed,
  { categories }: Pick<Projector, 'categories'>,
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

/** Reads the status of a read model at `now`; its lag is counted up to `counted`. */
export const readStatus = async (
  projector: Projector,
  log: ReadableLog,
  { db }: Pick<ReadDatabase, 'db'>,
  now: Date,
  counted = MOST_LAG_COUNTED,
): Promise<ReadModelStatus> => {
  const { name, version } = projector;
  const parked = selectParked(db, projector).as('parked');
  const counts = db
    .selectFrom(parked)
    .select(({ fn }) => [fn.count<number>('stream').distinct().as('streams'), fn.countAll<number>().as('events')]);
  const row = await db
    .selectFrom(['checkpoints', counts.as('parked')])
    .select(['checkpoints.position', 'event_id', 'stream', 'revision', 'unknown_events', 'built_at', 'streams', 'events'])
    .select(({ eb }) =>
      eb
        .case()
        .when('held_until', '>', sql<Instant>`clock_timestamp()`)
        .then(eb.ref('holder'))
        .end()
        .as('holder'),
    )
    .where('model', '=', name)
    .where('version', '=', version)
    .where('slot', '=', 'live')
    .executeTakeFirst();
  const place = row && readCheckpointEvent(row);
  const position = place?.position ?? START;
  return {
    model: name,
    version,
    position,
    built: row !== undefined && row.built_at !== null,
    lag: await measureLag(log, projector, position, now, counted),
    parked: { streams: row?.streams ?? 0, events: row?.events ?? 0 },
    unknown: row?.unknown_events ?? 0,
    holder: row?.holder ?? undefined,
    rewound: place !== undefined && (await isRewound(log, place)),
  };
};

/** Returns the names of those read models whose live tables no process follows. */
export const notFollowed = async (models: readonly Projector[], { db }: Pick<ReadDatabase, 'db'>): Promise<ReadonlySet<string>> => {
  const followed = await db
    .selectFrom('checkpoints')
    .select(['model', 'version'])
    .where('slot', '=', 'live')
    .where('holder', 'is not', null)
    .where('held_until', '>', sql<Instant>`clock_timestamp()`)
    .execute();
  const isFollowed = ({ name, version }: Projector) => followed.some((row) => row.model === name && row.version === version);
  return new Set(models.filter((model) => !isFollowed(model)).map(({ name }) => name));
};

export const isBuilt = async (projector: Projector, { db }: Pick<ReadDatabase, 'db'>): Promise<boolean> =>
  (await findBuilt(db, projector)).length === 1;
