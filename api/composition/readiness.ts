import { statfs } from 'node:fs/promises';

import { errorMessage } from '#projections/follower/failures.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { measureLag, notFollowed } from '#projections/storage/status.ts';

import { isRotationDue, ROTATE_BY_HAND } from '../event-store/encryption/rotation-due.ts';
import { streamCategories } from '../event-store/stored-event.ts';
import { withTimeout } from '../platform/retry.ts';
import type { Readiness } from '../observability/health.ts';
import { readSignedStatus } from '../transparency/signed-status.ts';
import { treeReading } from '../transparency/tree-rows.ts';
import { oldestDueFor, outboxFigures } from '../mail/sender.ts';
import type { Shop } from '../shop.ts';
import type { Watched } from './gauges.ts';
import { describeSkew, MOST_CLOCK_SKEW_MS, readDatabaseClock } from '../platform/postgres/database-clock.ts';
import { unfinished } from '../erasure/erasures.ts';
import { parkedStreams, reactionsProgress, type ReactionProgress } from '../reactions/postgres-reaction-storage.ts';

/** A part has this many ms to answer, and a read model has this many to catch up with the newest event. */
const ANSWERS_WITHIN = 1_500;
const CATCHES_UP_WITHIN = 1_000;

/** A reaction that is behind by fewer seconds than this is as usual. */
const BEHIND_S = 10;
/** A mail that has been due for fewer seconds than this is as usual. */
const LATE_S = 60;
/** Lags are counted up to this number. */
const COUNTED = 2_000;

type Part = { readonly isReady: boolean; readonly detail: string };

const READY: Part = { isReady: true, detail: 'ok' };
const notReady = (detail: string): Part => ({ isReady: false, detail });
const remark = (detail: string): Part => ({ isReady: true, detail });

const inTime = (question: Promise<Part>): Promise<Part> =>
  withTimeout(ANSWERS_WITHIN, () => new Error('no answer in time'), question).catch((error: unknown) => notReady(errorMessage(error)));

const NOT_FOLLOWED = 'no process follows the log';

/**
 * Reports parked events, and a read model that no process follows. The process stays ready, since all other streams continue, and a
 * restarted worker follows the log again within seconds.
 */
const readModelPart = async (
  { name, categories }: Projector,
  { store }: Pick<Shop, 'store'>,
  progress: Progress,
  notFollowed: Promise<ReadonlySet<string>>,
): Promise<Part> => {
  // The position is read first, so that the log is not behind it unless it was rewound.
  const position = progress.position(name);
  const head = await store.head(categories);
  if (position > head) return notReady(`at ${position}, which the log no longer has: npm run projections -- status`);
  const freshness = await progress.waitFor(name, head, CATCHES_UP_WITHIN);
  if (!progress.isBuilt(name)) return notReady('being built');
  if (progress.hasParked(name)) return remark('has parked events: npm run projections -- status');
  if (freshness === 'stale') return notReady(`at ${progress.position(name)} of ${head}`);
  return (await notFollowed).has(name) ? remark(NOT_FOLLOWED) : READY;
};

/** Reports a clock that differs from the database's. The process stays ready, since it leaves deadlines to others. */
const databasePart = async ({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<Part> => {
  const { differsBy } = await readDatabaseClock(db, now);
  return Math.abs(differsBy) > MOST_CLOCK_SKEW_MS ? remark(describeSkew(differsBy)) : READY;
};

/** Without this many bytes neither Postgres nor uploads can write for long. */
const LEAST_FREE_BYTES = 64 * 2 ** 20;

/** A full disk under DATA_DIR, where the embedded Postgres and pictures are, is not ready. */
const diskPart = async (dataDir: string, measure: typeof statfs): Promise<Part> => {
  // A process that keeps nothing there may have no such directory.
  const { bavail, bsize } = await measure(dataDir).catch(() => ({ bavail: Infinity, bsize: 1 }));
  const free = bavail * bsize;
  return free < LEAST_FREE_BYTES ? notReady(`the disk of DATA_DIR has ${Math.floor(free / 2 ** 20)} MB left`) : READY;
};

/** Reports parked mails, and mails that no process sends. The process stays ready. */
const mailPart = async ({ db }: Pick<Shop, 'db'>): Promise<Part> => {
  const [{ parked }, dueFor] = await Promise.all([outboxFigures(db), oldestDueFor(db)]);
  const details = [
    ...(parked === 0 ? [] : [`${parked} parked: see last_error in shop.outbox`]),
    ...(dueFor < LATE_S ? [] : [`a mail has been due for ${Math.round(dueFor)} s: no process sends mails, or sending hangs`]),
  ];
  return details.length === 0 ? READY : remark(details.join(', '));
};

type Reacting = Pick<Shop, 'store' | 'db' | 'now'>;

const describeLag = async ({ name, categories, position, isFollowed }: ReactionProgress, { store, now }: Reacting): Promise<string[]> => {
  if (!isFollowed) return [`no process follows the log for ${name}`];
  if (position >= (await store.head(categories))) return [];
  const { events, seconds } = await measureLag(store, { categories }, position, new Date(now()), COUNTED);
  return seconds < BEHIND_S ? [] : [`${name} is ${events} events and ${Math.round(seconds)} s behind`];
};

/** Reports reactions with parked events, and reactions that are behind or that no process runs. The process stays ready. */
const reactionsPart = async (shop: Reacting): Promise<Part> => {
  const [parked, reactions] = await Promise.all([parkedStreams(shop.db), reactionsProgress(shop.db)]);
  if (reactions.length === 0) return remark(NOT_FOLLOWED);
  const counts = parked.map(({ reaction, count }) => `${count} parked in ${reaction}: see error in shop.postponed_reactions`);
  const lags = await Promise.all(reactions.map((each) => describeLag(each, shop)));
  const details = [...counts, ...lags.flat()];
  return details.length === 0 ? READY : remark(details.join(', '));
};

/** Reports events that stay unsigned, for which there are no receipts. The process stays ready. */
const signedLogPart = async ({ db, read, store, now }: Pick<Shop, 'db' | 'read' | 'store' | 'now'>): Promise<Part> => {
  const { isFollowed, unsigned, since } = await readSignedStatus({ db, store, trees: treeReading(read.pool) });
  if (!isFollowed) return remark(NOT_FOLLOWED);
  const seconds = since ? (Date.parse(now()) - since.getTime()) / 1_000 : 0;
  return seconds < BEHIND_S ? READY : remark(`${unsigned} events are not signed, the oldest for ${Math.round(seconds)} s`);
};

/** Reports erasures that are not finished. The process stays ready: they are tried again every minute. */
const erasuresPart = async ({ db }: Pick<Shop, 'db'>): Promise<Part> => {
  const { length } = await unfinished(db);
  return length === 0 ? READY : remark(`${length} not finished yet`);
};

/** Reports a payment gateway that does not answer. The process stays ready, since everything else works. */
const gatewayPart = (isAvailable: boolean): Part => (isAvailable ? READY : remark('the gateway does not answer'));

/** Reports that the keys must be wrapped anew. The process stays ready. */
const keysPart = async ({ pool, where }: Pick<Shop, 'pool' | 'where'>, days: number): Promise<Part> => {
  if (!(await isRotationDue(pool, days))) return READY;
  return remark(where.keyEncryptionKey ? ROTATE_BY_HAND : 'a rotation is due, which the shop makes within a day');
};

type Deps = Pick<Watched, 'progress' | 'models' | 'isGatewayAvailable' | 'keyRotationDays' | 'notOpen'> & {
  readonly shop: Pick<Shop, 'store' | 'db' | 'pool' | 'read' | 'now' | 'where'>;
  readonly measureDisk?: typeof statfs;
};

/** A request may reach any process, so none is ready before all are. */
const processesPart = (notOpen: number): Part => (notOpen === 0 ? READY : notReady(`${notOpen} not open`));

/** Checks the event store, the database, whether each read model has caught up, and whether all processes are open. */
export const createReadiness =
  ({ shop, progress, models, isGatewayAvailable, keyRotationDays, notOpen, measureDisk = statfs }: Deps) =>
  async (): Promise<Readiness> => {
    const unfollowed = notFollowed(models, shop.read);
    // The parts report the error.
    unfollowed.catch(() => {});
    const questions: [string, Promise<Part>][] = [
      ['event store', shop.store.head(streamCategories).then(() => READY)],
      ['database', databasePart(shop)],
      ['disk', diskPart(shop.where.dataDir, measureDisk)],
      ['mail', mailPart(shop)],
      ['reactions', reactionsPart(shop)],
      ['signed log', signedLogPart(shop)],
      ['erasures', erasuresPart(shop)],
      ['keys', keysPart(shop, keyRotationDays)],
      ['payment gateway', Promise.resolve(gatewayPart(isGatewayAvailable()))],
      ...models.map((model): [string, Promise<Part>] => [model.name, readModelPart(model, shop, progress, unfollowed)]),
    ];
    if (notOpen) questions.push(['processes', Promise.resolve(processesPart(notOpen()))]);
    const parts = await Promise.all(questions.map(async ([name, part]) => [name, await inTime(part)] as const));
    return {
      isReady: parts.every(([, part]) => part.isReady),
      parts: Object.fromEntries(parts.map(([name, { detail }]) => [name, detail])),
    };
  };
