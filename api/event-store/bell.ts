import type { Cancellation, Category } from '#domain/event-store.ts';
import { paced, type Apart } from './paced.ts';

/** Tells followers in this process that something was appended, `times` by so many appends. Nobody misses a ring between reading and waiting. */
export type Bell = {
  ring(appended: readonly Category[], times?: number): void;
  /** Somebody waits for what follows from the rings so far: in a rush, too, it is told soon. */
  hurry(): void;
  /** How often it was told of these categories so far. */
  heard(wanted: readonly Category[]): number;
  /** Comes back once it was told of these more often than `heard` says, after `patience` ms at the latest, or when `until` is aborted. */
  waitFor(wanted: readonly Category[], heard: number, patience: number, until: Cancellation): Promise<void>;
};

/** `apart` is the least time between two tellings, in ms: with 0 everything is told at once. */
export const bell = (apart?: Apart): Bell => {
  const rings: Record<Category, number> = { product: 0, cart: 0, order: 0 };
  const waiting = new Set<() => void>();
  const heard = (wanted: readonly Category[]): number => wanted.reduce((sum, category) => sum + rings[category], 0);

  const untold = new Set<Category>();
  const telling = paced(() => {
    for (const category of untold) rings[category] += 1;
    untold.clear();
    for (const look of waiting) look();
  }, apart);

  return {
    ring: (appended, times) => {
      for (const category of appended) untold.add(category);
      if (untold.size > 0) telling.ring(times);
    },
    hurry: telling.hurry,
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
        else if (heard(wanted) !== before) telling.ringAgain();
      }),
  };
};
