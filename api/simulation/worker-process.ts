import { START } from '#domain/event-store.ts';
import { readModels } from '#projections/read-models.ts';

import { reactions } from '../reactions/reactions.ts';
import { openParts } from './api-process.ts';
import type { Following } from './following.ts';
import { keepModel } from './models.ts';
import { reactIn } from './reacting.ts';
import type { Life } from './scheduler.ts';
import { visitorsAt } from './stand-ins.ts';
import { restlessPages } from './wire.ts';
import type { World } from './world.ts';

/** A process that keeps the read models and reacts to what happens. */
export const openWorker = (world: World, life: Life): void => {
  const parts = openParts(world, life);
  const page = restlessPages(parts.store, { scheduler: world.scheduler, odds: () => world.odds });
  const following: Following = { world, life, parts, page };
  for (const projector of readModels) void keepModel(following, projector);
  const deps = { ...parts, keys: world.keys, visitors: visitorsAt(parts.at), publicUrl: 'http://localhost' };
  for (const reaction of reactions(deps)) void reactIn(following, reaction);
};

/** Whether a read model or a reaction has come to the end of the log. */
export const isAtEnd = async ({ store, tables }: Pick<World, 'store' | 'tables'>): Promise<boolean> => {
  for (const { name, categories } of readModels) if (tables.model(name).place.position < (await store.head(categories))) return false;
  const head = await store.head(['order']);
  const names = ['empty-cart', 'order-mails', 'claim-orders'];
  for (const name of names) {
    const at = tables.reactions.placeOf(name)?.position ?? START;
    if (at < head || (await tables.reactions.postponedStreams(name)).size > 0) return false;
  }
  return true;
};
