import type { Cancellation, Category } from '#domain/event-store.ts';

/** In a rush followers are told this far apart, in ms: each then takes many events at once, and all of them the same. */
const APART = 10;

/** Tells followers in this process that something was appended. Nobody misses a ring between reading and waiting. */
export type Bell = {
  ring(rung: readonly Category[]): void;
  /** How often it was told of these categories so far. */
  heard(wanted: readonly Category[]): number;
  /** Comes back once it was told of these more often than `heard` says, after `patience` ms at the latest, or when `until` is aborted. */
  waitFor(wanted: readonly Category[], heard: number, patience: number, until: Cancellation): Promise<void>;
};

/** `apart` is the least time between two tellings, in ms; 0 tells of everything at once. */
export const bell = ({ apart = APART }: { readonly apart?: number } = {}): Bell => {
  const rings: Record<Category, number> = { product: 0, cart: 0, order: 0 };
  const waiting = new Set<() => void>();
  const heard = (wanted: readonly Category[]): number => wanted.reduce((sum, category) => sum + rings[category], 0);

  const untold = new Set<Category>();
  let timer: NodeJS.Timeout | undefined;
  let lastTold = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    timer = undefined;
    lastTold = performance.now();
    for (const category of untold) rings[category] += 1;
    untold.clear();
    for (const look of waiting) look();
  };

  return {
    ring: (rung) => {
      for (const category of rung) untold.add(category);
      if (untold.size === 0 || timer) return;
      const wait = lastTold + apart - performance.now();
      if (wait <= 0) tell();
      else timer = setTimeout(tell, wait);
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
        else look();
      }),
  };
};
