import type { Category } from '#domain/event-store.ts';
import type { TaxDocumentKind } from '#domain/invoice/tax-document-numbers.ts';
import type { ReadModelStorage } from '#projections/engine/read-model-storage.ts';

import type { Subject } from './simulate.ts';
import type { FaultHooks } from './world.ts';

export type PlantedFault = {
  readonly fault: string;
  readonly breaks: RegExp;
  readonly plant: FaultHooks;
  /** The first schedule that shows it. Faults without one take too long for the ordinary run. */
  readonly seed?: number;
  /** The default is the shop. */
  readonly subject?: Subject;
};

/** A repeated append reports that it was the first. */
const hidesRepetition: FaultHooks['store'] = (store) => ({
  ...store,
  append: async (...asked) => ({ ...(await store.append(...asked)), repeated: false }),
});

/** A cached aggregate is not checked against the log. */
const believesMemory: FaultHooks['aggregates'] = (aggregates) => ({
  ...aggregates,
  load: async (decider, stream) => aggregates.cached(decider, stream) ?? aggregates.load(decider, stream),
});

/** Stock in memory is not checked against the log. */
const believesCount: FaultHooks['aggregates'] = (aggregates) => ({
  ...aggregates,
  load: async (decider, stream) =>
    (stream.startsWith('stock-') ? aggregates.cached(decider, stream) : undefined) ?? aggregates.load(decider, stream),
});

const instead = <Port extends object>(port: Port, methods: (port: Port) => Partial<Port>): Port => {
  const own = methods(port);
  return new Proxy(port, { get: (target, name) => Reflect.get(own, name) ?? Reflect.get(target, name) });
};

/** The rows are committed first, and the checkpoint after them. */
const committingApart = (storage: ReadModelStorage): ReadModelStorage =>
  instead(storage, (honest) => ({
    reserved: (work) => work(committingApart(honest)),
    commit: async (slot, held, { to, ...rows }) => {
      const between = await honest.commit(slot, held, rows);
      return honest.commit(slot, between, { changes: new Map(), parked: [], unknown: 0, ...(to && { to }) });
    },
  }));

/** A holder that has lost its lease still commits. */
const committingBlindly = (storage: ReadModelStorage): ReadModelStorage =>
  instead(storage, (honest) => ({
    reserved: (work) => work(committingBlindly(honest)),
    commit: async (slot, held, commit) => {
      const there = await honest.locked(slot, async (now) => now);
      return { ...(await honest.commit(slot, there, commit)), holder: held.holder };
    },
  }));

/** A draft's reservation is released while its placing may still be appended. */
const withoutFence: FaultHooks['execute'] =
  (execute) =>
  (decider, stream, command, ...asked) =>
    'type' in command && command.type === 'AbandonPlacing'
      ? Promise.resolve({ state: decider.initial })
      : execute(decider, stream, command, ...asked);

/** Appends ignore the expected revision of the stream. */
const withoutCheck =
  (category: Category): NonNullable<FaultHooks['store']> =>
  (store) => ({
    ...store,
    append: async (stream, expected, events, metadata) =>
      store.append(stream, stream.startsWith(`${category}-`) ? (await store.read(stream)).head : expected, events, metadata),
  });

/** The reaction uses the stream's end in the log, and so skips events that the read model does not have yet. */
const withLatestHead =
  (kind: TaxDocumentKind): NonNullable<FaultHooks['taxDocuments']> =>
  (taxDocuments, store) => ({
    issued: async (stream, order) => {
      const issued = await taxDocuments.issued(stream, order);
      return stream.startsWith(kind) ? { ...issued, head: (await store.read(stream)).head } : issued;
    },
  });

export const PLANTED: readonly PlantedFault[] = [
  {
    fault: 'a late append and a retry with another order number, where the append does not say that it was repeated',
    breaks: /^every success that was answered is in the log/,
    plant: { store: hidesRepetition },
  },
  {
    fault: 'a stale cached aggregate that is believed',
    breaks: /^every success that was answered is in the log|^no shopper saw or was given/,
    plant: { aggregates: believesMemory },
    subject: 'stock',
  },
  {
    fault: 'a lost wake signal without a poll',
    breaks: /^left in peace, everything comes to the end/,
    plant: { isUnpolled: true },
  },
  {
    fault: 'an event that the reader skips',
    seed: 1,
    breaks: /^no event was applied twice or skipped|^one confirmation/,
    plant: { page: (events, random) => (events.length > 1 && random.happens(10) ? events.slice(1) : events) },
  },
  {
    fault: 'a checkpoint that is not saved with its rows',
    seed: 1,
    breaks: /^no event was applied twice or skipped/,
    plant: { models: committingApart },
  },
  {
    fault: 'a checkpoint without compare-and-set',
    breaks: /^no event was applied twice or skipped/,
    plant: { models: committingBlindly },
  },
  {
    fault: 'all versions of a cart become one order',
    seed: 2,
    breaks: /^one order for each cart version checked out/,
    plant: { idOf: (derived) => (shopper) => derived(shopper, 0) },
  },
  {
    fault: 'a repeated request that is taken for a new one',
    seed: 1,
    breaks: /^a request that came more than once/,
    plant: { forgetsRepeats: true },
  },
  {
    fault: 'reservations of two processes that do not know of each other',
    seed: 13,
    breaks: /^no more bottles are ever reserved than there are/,
    plant: { store: withoutCheck('stock') },
    subject: 'stock',
  },
  {
    fault: 'a release of bottles that a placing under way counts on',
    seed: 5,
    breaks: /^a placed order has its bottles/,
    plant: { execute: withoutFence },
    subject: 'stock',
  },
  {
    fault: 'a stale count of bottles that is believed',
    seed: 7,
    breaks: /^nobody is refused bottles that were there/,
    plant: { aggregates: believesCount },
    subject: 'stock',
  },
  {
    fault: 'an interrupted placing that nobody releases',
    breaks: /^no bottle is reserved for an order that is not placed/,
    plant: { isUnswept: true },
    subject: 'stock',
  },
  {
    fault: 'an invoice that is written without a look for one that the read model does not have yet',
    seed: 4,
    breaks: /^each order that shipped has one invoice/,
    plant: { taxDocuments: withLatestHead('invoices') },
    subject: 'taxDocuments',
  },
  {
    fault: 'an invoice that is appended wherever the stream ends',
    seed: 82,
    breaks: /^each order that shipped has one invoice/,
    plant: { store: withoutCheck('invoices') },
    subject: 'taxDocuments',
  },
  {
    fault: 'a credit note that is written without a look for one that the read model does not have yet',
    breaks: /^each order that came back has one credit note/,
    plant: { taxDocuments: withLatestHead('credit-notes') },
    subject: 'taxDocuments',
  },
];
