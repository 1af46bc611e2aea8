import type { Cancellation, Category } from '#domain/event-store.ts';

/** Tells followers in this process that something was appended. Nobody misses a ring between reading and waiting. */
export type Bell = {
  ring(rung: readonly Category[]): void;
  /** How often it rang for these categories so far. */
  heard(wanted: readonly Category[]): number;
  /** Comes back once it rang for these more often than `heard` told, after `patience` ms at the latest, or when `until` is aborted. */
  waitFor(wanted: readonly Category[], heard: number, patience: number, until: Cancellation): Promise<void>;
};

export const bell = (): Bell => {
  const rings: Record<Category, number> = { product: 0, cart: 0, order: 0 };
  const waiting = new Set<() => void>();
  const heard = (wanted: readonly Category[]): number => wanted.reduce((sum, category) => sum + rings[category], 0);

  return {
    ring: (rung) => {
      for (const category of rung) rings[category] += 1;
      for (const look of waiting) look();
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
