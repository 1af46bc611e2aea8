import type { Cancellation, Category } from '#domain/event-store.ts';

/**
 * So far apart followers are told, in ms: each then takes many events at once, and all of them the same. Further apart in a rush, which is
 * when it rang so many times in between.
 */
const APART = { usual: 10, inRush: 25 } as const;
const RUSH = 3;

/** Tells followers in this process that something was appended. Nobody misses a ring between reading and waiting. */
export type Bell = {
  ring(appended: readonly Category[]): void;
  /** How often it was told of these categories so far. */
  heard(wanted: readonly Category[]): number;
  /** Comes back once it was told of these more often than `heard` says, after `patience` ms at the latest, or when `until` is aborted. */
  waitFor(wanted: readonly Category[], heard: number, patience: number, until: Cancellation): Promise<void>;
};

/** `apart` is the least time between two tellings, in ms: with 0 everything is told at once. */
export const bell = (apart: { readonly usual: number; readonly inRush: number } = APART): Bell => {
  const rings: Record<Category, number> = { product: 0, cart: 0, order: 0 };
  const waiting = new Set<() => void>();
  const heard = (wanted: readonly Category[]): number => wanted.reduce((sum, category) => sum + rings[category], 0);

  const untold = new Set<Category>();
  let rung = 0;
  let timer: NodeJS.Timeout | undefined;
  let next = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    timer = undefined;
    next = performance.now() + (rung >= RUSH ? apart.inRush : apart.usual);
    rung = 0;
    for (const category of untold) rings[category] += 1;
    untold.clear();
    for (const look of waiting) look();
  };
  const tellSoon = (): void => {
    if (timer) return;
    const wait = next - performance.now();
    if (wait <= 0) tell();
    else timer = setTimeout(tell, wait);
  };

  return {
    ring: (appended) => {
      for (const category of appended) untold.add(category);
      rung += 1;
      if (untold.size > 0) tellSoon();
    },
    heard,
    waitFor: (wanted, before, patience, until) =>
      new Promise((resolve) => {
        const leave = () => {
          clearTimeout(timer);
          until.removeEventListener('abort', leave);
          waiting.delete(look);
          resolve();
        };
        const look = () => {
          if (heard(wanted) !== before) leave();
        };
        const timer = setTimeout(leave, patience);
        until.addEventListener('abort', leave);
        waiting.add(look);
        if (until.aborted) leave();
        // Told while away: together with the others next time, so that all read the same page again.
        else if (heard(wanted) !== before) tellSoon();
      }),
  };
};
