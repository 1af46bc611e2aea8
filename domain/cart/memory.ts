import type { Instant } from '../shared/instant.ts';

/** The orders and merges already applied to a cart, oldest first: only the newest few, so that a cart does not grow with its history. */
export type Memory<Id extends string> = readonly { readonly id: Id; readonly at: Instant }[];

/** Repetitions come within moments, so a few are plenty; for older ones `recalls` assumes "done". */
const KEPT = 20;

/** `at` is the time of the cause, not of its application to the cart: the oldest are dropped first. */
export const remember = <Id extends string>(memory: Memory<Id>, id: Id, at: Instant): Memory<Id> =>
  [...memory, { id, at }].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-KEPT);

/**
 * Whether it was applied before. One older than everything in a full memory counts as applied: not removing an order's lines from a cart is
 * a nuisance, removing them twice is a loss.
 */
export const recalls = <Id extends string>(memory: Memory<Id>, id: Id, at: Instant): boolean => {
  const [oldest] = memory;
  return memory.some((done) => done.id === id) || (memory.length === KEPT && oldest !== undefined && at <= oldest.at);
};
