import { START } from '#domain/event-store.ts';
import { readModels } from '#projections/read-models.ts';

import type { Reaction } from '../reactions/reaction.ts';
import { reactions } from '../reactions/reactions.ts';
import { runReaction } from '../reactions/runner.ts';
import { openParts, type Parts } from './api-process.ts';
import { keepModel } from './models.ts';
import type { Life } from './scheduler.ts';
import { visitorsAt } from './stand-ins.ts';
import { wired } from './wire.ts';
import type { World } from './world.ts';

const react = ({ tables, log, scheduler, newId }: World, life: Life, { store, at }: Parts, reaction: Reaction): Promise<void> => {
  const storage = wired(tables.reactions, `of ${reaction.name}`, at.wire);
  const holder = `${life.name} ${newId()}`;
  const clock = scheduler.clockOf(life);
  return runReaction(reaction, { storage, feed: store, log, clock, holder }, new AbortController().signal);
};

const reactionsOf = (world: World, parts: Parts): readonly Reaction[] =>
  reactions({ ...parts, keys: world.keys, visitors: visitorsAt(parts.at), publicUrl: 'http://localhost' });

/** A process that keeps the read models and reacts to what happens. */
export const openWorker = (world: World, life: Life): void => {
  const parts = openParts(world, life);
  for (const projector of readModels) void keepModel({ world, life, parts }, projector);
  for (const reaction of reactionsOf(world, parts)) void react(world, life, parts, reaction);
};

/** Whether all read models and reactions have come to the end of the log. */
export const isAtEnd = async ({ store, tables }: Pick<World, 'store' | 'tables'>): Promise<boolean> => {
  for (const { name, categories } of readModels) if (tables.model(name).place.position < (await store.head(categories))) return false;
  const head = await store.head(['order']);
  for (const name of ['empty-cart', 'order-mails', 'claim-orders']) {
    const at = tables.reactions.placeOf(name)?.position ?? START;
    if (at < head || (await tables.reactions.postponedStreams(name)).size > 0) return false;
  }
  return true;
};
