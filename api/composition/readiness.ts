import { sql } from 'kysely';

import { errorMessage } from '#projections/follower/failures.ts';
import type { Progress } from '#projections/reading/progress.ts';
import type { Projector } from '#projections/engine/define-projector.ts';

import { streamCategories } from '../event-store/stored-event.ts';
import { withTimeout } from '../platform/retry.ts';
import type { Readiness } from '../observability/health.ts';
import { outboxFigures } from '../mail/sender.ts';
import type { Shop } from '../shop.ts';
import type { Watched } from './gauges.ts';
import { parkedStreams } from '../reactions/postgres-reaction-storage.ts';

/** A part has this many ms to answer, and a read model has this many to catch up with the newest event. */
const ANSWERS_WITHIN = 1_500;
const CATCHES_UP_WITHIN = 1_000;

type Part = { readonly isReady: boolean; readonly detail: string };

const READY: Part = { isReady: true, detail: 'ok' };
const notReady = (detail: string): Part => ({ isReady: false, detail });

const inTime = (question: Promise<Part>): Promise<Part> =>
  withTimeout(ANSWERS_WITHIN, () => new Error('no answer in time'), question).catch((error: unknown) => notReady(errorMessage(error)));

/** Reports parked events. The process stays ready, since all other streams continue. */
const readModelPart = async ({ name, categories }: Projector, { store }: Pick<Shop, 'store'>, progress: Progress): Promise<Part> => {
  // The position is read first, so that the log is not behind it unless it was rewound.
  const position = progress.position(name);
  const head = await store.head(categories);
  if (position > head) return notReady(`at ${position}, which the log no longer has: npm run projections -- status`);
  const freshness = await progress.waitFor(name, head, CATCHES_UP_WITHIN);
  if (!progress.isBuilt(name)) return notReady('being built');
  if (progress.hasParked(name)) return { isReady: true, detail: 'has parked events: npm run projections -- status' };
  return freshness === 'stale' ? notReady(`at ${progress.position(name)} of ${head}`) : READY;
};

/** Reports parked mails. The process stays ready. */
const mailPart = async ({ db }: Pick<Shop, 'db'>): Promise<Part> => {
  const { parked } = await outboxFigures(db);
  return parked === 0 ? READY : { isReady: true, detail: `${parked} parked: see last_error in shop.outbox` };
};

/** Reports parked reactions. The process stays ready. */
const reactionsPart = async ({ db }: Pick<Shop, 'db'>): Promise<Part> => {
  const parked = await parkedStreams(db);
  if (parked.length === 0) return READY;
  const counts = parked.map(({ reaction, count }) => `${count} parked in ${reaction}`).join(', ');
  return { isReady: true, detail: `${counts}: see error in shop.postponed_reactions` };
};

/** Reports a payment gateway that does not answer. The process stays ready, since everything else works. */
const gatewayPart = (isAvailable: boolean): Part => ({ isReady: true, detail: isAvailable ? 'ok' : 'the gateway does not answer' });

type Deps = Pick<Watched, 'progress' | 'models' | 'isGatewayAvailable' | 'notOpen'> & { readonly shop: Pick<Shop, 'store' | 'db'> };

/** A request may reach any process, so none is ready before all are. */
const processesPart = (notOpen: number): Part => (notOpen === 0 ? READY : notReady(`${notOpen} not open`));

/** Checks the event store, the database, whether each read model has caught up, and whether all processes are open. */
export const createReadiness =
  ({ shop, progress, models, isGatewayAvailable, notOpen }: Deps) =>
  async (): Promise<Readiness> => {
    const questions: [string, Promise<Part>][] = [
      ['event store', shop.store.head(streamCategories).then(() => READY)],
      ['database', sql`select 1`.execute(shop.db).then(() => READY)],
      ['mail', mailPart(shop)],
      ['reactions', reactionsPart(shop)],
      ['payment gateway', Promise.resolve(gatewayPart(isGatewayAvailable()))],
      ...models.map((model): [string, Promise<Part>] => [model.name, readModelPart(model, shop, progress)]),
    ];
    if (notOpen) questions.push(['processes', Promise.resolve(processesPart(notOpen()))]);
    const parts = await Promise.all(questions.map(async ([name, part]) => [name, await inTime(part)] as const));
    return {
      isReady: parts.every(([, part]) => part.isReady),
      parts: Object.fromEntries(parts.map(([name, { detail }]) => [name, detail])),
    };
  };
