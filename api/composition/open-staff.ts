import type { Log } from '#projections/follower/lease.ts';
import { readModels } from '#projections/read-models.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { readStatus } from '#projections/storage/status.ts';

import type { AccountsAndMail } from './open-accounts-and-mail.ts';
import type { Queries } from './open-queries.ts';
import type { Shop } from '../shop.ts';
import { openLive } from '../admin/live-stream.ts';
import { createFigures, type AdminRoutesDeps } from '../admin/routes.ts';
import { outboxFigures } from '../mail/sender.ts';
import type { OpenedPayments } from '../payments/open-payments.ts';
import { parkedStreams } from '../reactions/postgres-reaction-storage.ts';

type HealthDeps = {
  readonly shop: Pick<Shop, 'store' | 'read' | 'db' | 'now'>;
  readonly models: readonly Projector[];
  readonly isGatewayAvailable: () => boolean;
};

const modelHealth = async (model: Projector, { store, read, now }: HealthDeps['shop']) => {
  const { built, lag, parked, unknown, holder } = await readStatus(model, store, read, new Date(now()));
  return {
    name: model.name,
    isBuilt: built,
    lagEvents: lag.events,
    lagSeconds: lag.seconds,
    parkedEvents: parked.events,
    unknownEvents: unknown,
    isAtWork: holder !== undefined,
  };
};

/** Returns for operators each read model's lag, the waiting mail, the parked reactions, and whether the payment gateway answers. */
const readHealth = async ({ shop, models, isGatewayAvailable }: HealthDeps) => {
  const db = shop.db;
  const [projections, { waiting, parked, waitingSince }, reactions] = await Promise.all([
    Promise.all(models.map((model) => modelHealth(model, shop))),
    outboxFigures(db),
    parkedStreams(db),
  ]);
  return {
    projections,
    outbox: { waiting, parked, waitingSince: waitingSince?.toISOString() ?? null },
    reactions: reactions.map(({ reaction, count }) => ({ name: reaction, parkedStreams: count })),
    isGatewayAvailable: isGatewayAvailable(),
  };
};

export type Staff = Pick<AdminRoutesDeps, 'counts' | 'live' | 'health'> & {
  /** Closes open streams, which would keep the server from closing. */
  close(): Promise<void>;
};

export const openStaff = (
  shop: Pick<Shop, 'store' | 'read' | 'db' | 'now'>,
  queries: Queries,
  { counts }: Pick<AccountsAndMail, 'counts'>,
  { isGatewayAvailable }: Pick<OpenedPayments, 'isGatewayAvailable'>,
  log: Log,
): Staff => {
  const figures = createFigures({ ...shop, ...queries });
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'The figures could not be sent to the open staff pages');
  const live = openLive({ progress: queries.progress, listing: queries.catalogue, figures: () => figures(counts.now()), onTrouble });
  const health = () => readHealth({ shop, models: readModels, isGatewayAvailable });
  return { counts, live, health, close: () => Promise.resolve(live.close()) };
};
