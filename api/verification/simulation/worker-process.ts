import { START } from '#domain/event-store.ts';
import { seller } from '#domain/testing/tax-documents.ts';
import type { Projector } from '#projections/engine/define-projector.ts';
import { catalogue, type StockRow } from '#projections/catalogue/projector.ts';
import type { ReadModelStorage } from '#projections/engine/read-model-storage.ts';
import { runProjector } from '#projections/engine/worker.ts';

import type { Reaction } from '../../reactions/reaction.ts';
import { reactions } from '../../reactions/reactions.ts';
import { issueTaxDocuments } from '../../tax-documents/issue-tax-documents.ts';
import { whenOrderMovesIssueTaxDocuments } from '../../tax-documents/when-order-moves-issue-tax-documents.ts';
import { runReaction } from '../../reactions/runner.ts';
import { releaseAbandoned } from '../../catalogue/stock/release-abandoned.ts';
import { openParts, type Parts } from './api-process.ts';
import { readLog } from '../journeys/log-book.ts';
import { nobodyElseHolds } from '../journeys/stock-verdicts.ts';
import type { Life } from './scheduler.ts';
import { taxDocumentsAt, visitorsAt } from './test-doubles.ts';
import { throughNetwork, type NetworkCall } from './simulated-network.ts';
import type { World } from './world.ts';

/** Rejects when the process ends, so that its locks are released as by a lost connection. */
const raceWithEnd = <Result>(life: Life, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`${life.name} has ended`));
    const leaveAlone = life.atEnd(giveUp);
    // The process may have ended while it waited for the lock.
    if (life.isOver) giveUp();
    work.then(resolve, reject).finally(leaveAlone);
  });

/** Puts the storage behind the simulated network. The calls of a transaction are separate steps. */
const wiredModels = (storage: ReadModelStorage, life: Life, viaNetwork: NetworkCall): ReadModelStorage => {
  const inside = (within: ReadModelStorage) => wiredModels(within, life, viaNetwork);
  const reserved: ReadModelStorage['reserved'] = (work) => work(own);
  const locked: ReadModelStorage['locked'] = (slot, work) =>
    storage.locked(slot, (held, within) => raceWithEnd(life, work(held, inside(within))));
  const replaceLive: ReadModelStorage['replaceLive'] = (next, catchUp) =>
    storage.replaceLive(next, (live) => raceWithEnd(life, catchUp(live)));
  const apart: Partial<ReadModelStorage> = { reserved, locked, replaceLive };
  const plain = throughNetwork(storage, 'a read model', viaNetwork);
  const own = new Proxy(plain, { get: (target, name) => Reflect.get(apart, name) ?? Reflect.get(target, name) });
  return own;
};

const project = (world: World, life: Life, { store, at }: Parts, projector: Projector): Promise<void> => {
  const { tables, log, scheduler, newId, plants, over } = world;
  const honest = wiredModels(tables.models, life, at.viaNetwork);
  const storage = plants.models?.(honest) ?? honest;
  const options = { clock: scheduler.clockOf(life), holder: `${life.name} ${newId()}` };
  return runProjector(projector, store, { storage }, over.signal, log, options);
};

const react = ({ tables, log, scheduler, newId, over }: World, life: Life, { store, at }: Parts, reaction: Reaction): Promise<void> => {
  const storage = throughNetwork(tables.reactions, `of ${reaction.name}`, at.viaNetwork);
  const clock = scheduler.clockOf(life);
  return runReaction(reaction, { storage, feed: store, log, clock, holder: `${life.name} ${newId()}` }, over.signal);
};

/** These times in ms are short, so that releases often meet placings that are still running. */
const RELEASING = { looksEvery: 300, abandonedAfter: 300 };

const release = ({ tables, log, scheduler, over }: World, life: Life, parts: Parts): Promise<void> => {
  const rows = (): readonly StockRow[] => tables.rows(catalogue.name, 'stock') as readonly StockRow[]; // only its projector writes them
  const reserved = () =>
    rows()
      .filter((row) => row.reserved > 0)
      .map((row) => row.product_id);
  const reservedProducts = () => parts.at.viaNetwork('ask what is reserved', reserved);
  const clock = scheduler.clockOf(life);
  const deadlineClock = async () => parts.now();
  return releaseAbandoned({ ...parts, deadlineClock, reservedProducts, log, clock, times: RELEASING }, over.signal);
};

const createReactions = ({ keys, plants }: World, parts: Parts): readonly Reaction[] => {
  const honest = taxDocumentsAt(parts.at);
  const issue = issueTaxDocuments({
    ...parts,
    taxDocuments: plants.taxDocuments?.(honest, parts.store) ?? honest,
    seller,
    readTime: async () => parts.now(),
  });
  return [
    ...reactions({ ...parts, keys, visitors: visitorsAt(parts.at), publicUrl: 'http://localhost' }),
    whenOrderMovesIssueTaxDocuments({ ...parts, keys, issue }),
  ];
};

export const openWorker = (world: World, life: Life): void => {
  const parts = openParts(world, life);
  const { scope, plants } = world;
  for (const projector of scope.models) void project(world, life, parts, projector);
  for (const reaction of createReactions(world, parts))
    if (scope.reactions.includes(reaction.name)) void react(world, life, parts, reaction);
  if (scope.releases && !plants.isUnswept) void release(world, life, parts);
};

/** Returns whether all read models and reactions have reached the end of the log, and interrupted placings are released. */
export const isAtEnd = async ({ store, tables, scope }: Pick<World, 'store' | 'tables' | 'scope'>): Promise<boolean> => {
  for (const { name, categories } of scope.models) {
    const kept = tables.model(name);
    if (!kept?.state.built || kept.state.position < (await store.head(categories))) return false;
  }
  for (const name of scope.reactions) {
    const head = await store.head(name === 'order-mails' ? ['order', 'invoices'] : ['order']);
    const at = tables.reactions.placeOf(name)?.position ?? START;
    if (at < head || (await tables.reactions.postponedStreams(name)).size > 0) return false;
  }
  return !scope.releases || nobodyElseHolds(await readLog(store)).broken.length === 0;
};
