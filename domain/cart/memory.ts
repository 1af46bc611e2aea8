import type { Instant } from '../shared/instant.ts';

/** What was already done to a cart, oldest first: the newest few, so that a cart does not grow with its history. */
export type Memory<Id extends string> = readonly { readonly id: Id; readonly at: Instant }[];

/** Deliveries repeat within moments, so a few are plenty; past them `recalls` errs towards "done". */
const KEPT = 20;

/** `at` is when the thing happened that was done to the cart, not when it was done: it orders what is forgotten. */
export const remember = <Id extends string>(memory: Memory<Id>, id: Id, at: Instant): Memory<Id> =>
  [...memory, { id, at }].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-KEPT);

/**
 * Whether it was done before. What is older than all that a full memory holds counts as done: to take an order's lines out of a
 * cart late is a nuisance, to take them twice is a loss.
 */
export const recalls = <Id extends string>(memory: Memory<Id>, id: Id, at: Instant): boolean => {
  const [oldest] = memory;
  return memory.some((done) => done.id === id) || (memory.length === KEPT && oldest !== undefined && at <= oldest.at);
};
