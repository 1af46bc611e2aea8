import type { Plants } from './world.ts';

/** A fault, the invariant that it breaks, and the plant that brings it about. */
export type PlantedFault = {
  readonly fault: string;
  readonly breaks: RegExp;
  readonly plant: Plants;
  /** A seed that shows it, unless the shop has changed. */
  readonly from: number;
};

/** A repeated append says that it was the first. */
const hidesRepetition: Plants['store'] = (store) => ({
  ...store,
  append: async (...asked) => ({ ...(await store.append(...asked)), repeated: false }),
});

/** The log is not asked whether what is remembered is still so. */
const believesMemory: Plants['aggregates'] = (aggregates) => ({
  ...aggregates,
  load: async (decider, stream, since) => aggregates.recall(decider, stream) ?? aggregates.load(decider, stream, since),
});

/** What the simulation must find. */
export const PLANTED: readonly PlantedFault[] = [
  {
    fault: 'a late append and a retry with another order number, where the append does not say that it was repeated',
    breaks: /^every success that was answered is in the log/,
    plant: { store: hidesRepetition },
    from: 21,
  },
  { fault: 'a stale remembered aggregate that is believed', breaks: /./, plant: { aggregates: believesMemory }, from: 1 },
  {
    fault: 'a lost wake signal without a poll',
    breaks: /^left in peace, everything comes to the end/,
    plant: { isUnpolled: true },
    from: 1,
  },
  {
    fault: 'an event that the reader skips',
    breaks: /^no event was applied twice or skipped|^one confirmation/,
    plant: { page: (events, chance) => (events.length > 1 && chance.happens(10) ? events.slice(1) : events) },
    from: 1,
  },
  {
    fault: 'a cart whose versions are all one order',
    breaks: /^one order for one version of a cart/,
    plant: { idOf: (derived) => (shopper) => derived(shopper, 0) },
    from: 1,
  },
  {
    fault: 'a repeated request that is taken for a new one',
    breaks: /^a request that came more than once/,
    plant: { forgetsRepeats: true },
    from: 1,
  },
];
