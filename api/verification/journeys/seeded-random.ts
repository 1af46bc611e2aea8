/** Makes pseudo-random choices. A seed repeats the order of events, though not their milliseconds. */
export type SeededRandom = {
  /** Returns a whole number from 0 to `below` − 1. */
  readonly upTo: (below: number) => number;
  /** Returns true in `times` percent of calls. For 0 it draws no random number. */
  readonly happens: (times: number) => boolean;
  readonly oneOf: <Item>(items: readonly [Item, ...Item[]]) => Item;
};

export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (below: number): number => Math.floor(next() * below);
  const happens = (times: number): boolean => times > 0 && upTo(100) < times;
  return { upTo, happens, oneOf: (items) => items[upTo(items.length)] ?? items[0] };
};
