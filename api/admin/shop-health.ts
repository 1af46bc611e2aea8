import type { Projector } from '#projections/engine/define-projector.ts';
import { statusOf } from '#projections/storage/status.ts';

import { outboxFigures } from '../mail/sender.ts';
import type { Shop } from '../composition/types/shop.ts';
import { parkedStreams } from '../reactions/postgres-reaction-storage.ts';
import { shopDatabase } from '../platform/postgres/shop-tables.ts';

export type HealthDeps = { readonly shop: Pick<Shop, 'store' | 'read' | 'pool' | 'now'>; readonly models: readonly Projector[] };

const modelHealth = async (model: Projector, { store, read, now }: HealthDeps['shop']) => {
  const { built, lag, parked, unknown, holder } = await statusOf(model, store, read, new Date(now()));
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

/** The shop's health for its operators: each read model's lag, the waiting mail, and the parked reactions. */
export const healthOf = async ({ shop, models }: HealthDeps) => {
  const db = shopDatabase(shop.pool);
  const [projections, { waiting, parked, waitingSince }, reactions] = await Promise.all([
    Promise.all(models.map((model) => modelHealth(model, shop))),
    outboxFigures(db),
    parkedStreams(db),
  ]);
  return {
    projections,
    outbox: { waiting, parked, waitingSince: waitingSince?.toISOString() ?? null },
    reactions: reactions.map(({ reaction, count }) => ({ name: reaction, parkedStreams: count })),
  };
};
