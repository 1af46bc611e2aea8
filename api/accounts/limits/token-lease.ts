import { RateLimiterRes, type RateLimiterPostgres } from 'rate-limiter-flexible';

/** This process's share of one key's allowance. */
type Purse = {
  left: number;
  /** Taken from the database in this window. */
  taken: number;
  /** When the window ends, in ms of `Date.now`. */
  ends: number;
  /** The allowance is used up, by whichever processes; what is left here is the last. */
  isLast: boolean;
  wasRefused: boolean;
  /** The first part was told to the database. */
  isCharged: boolean;
  asking: Promise<void> | undefined;
};

type Taken = { readonly wait: number; readonly isFirst: boolean };

export type LeasedAllowance = {
  /** Takes one from memory; false when that has none left, and the database has to be asked. */
  takeHere(key: string): boolean;
  /** Takes one; answers with how many ms to wait for the next when there is none, and whether that is said for the first time. */
  take(key: string): Promise<Taken>;
};

const KEYS = 50_000;

/**
 * An optimisation, paid for by "add to cart" and "whole order" of `npm run bench`: with the library's limiter alone, which asks Postgres for
 * each request, adds fell from 1,771 to 1,119 a second and orders from 188 to 97. `LEASES` in limits.ts left empty is the plain path.
 *
 * Of each key's allowance a process takes a `leases`-th part from the database at a time, gives it out from memory, and asks for the next part
 * when half of it is gone. The first part of a window is given on credit and charged when half of it is gone: clients that stay below that,
 * nearly all, cost no query.
 *
 * How exact: one process allows just the limit. Each further one may allow one part too many (the credit), or leave one unused. With the
 * database away a process counts for itself, up to the whole limit. `nameOf`: what the database knows a key by.
 */
export const leasedAllowance = (
  limiter: RateLimiterPostgres,
  leases: number,
  nameOf: (key: string) => string = (key) => key,
): LeasedAllowance => {
  const { points, duration } = limiter;
  const lease = Math.max(1, Math.floor(points / leases));
  const purses = new Map<string, Purse>();

  const ask = async (key: string, purse: Purse): Promise<void> => {
    const isOnCredit = !purse.isCharged;
    purse.isCharged = true;
    const add = (granted: number): void => {
      purse.left += isOnCredit ? granted - lease : granted;
      purse.taken += granted;
    };
    try {
      const { msBeforeNext } = await limiter.consume(nameOf(key), lease);
      purse.ends = Date.now() + msBeforeNext;
      add(lease);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) {
        purse.ends = Date.now() + refused.msBeforeNext;
        purse.isLast = true;
        // The part that did not fit may still hold the last few; one that was refused from memory says nothing of them.
        add(Math.min(lease, Math.max(0, refused.consumedPoints === 0 ? 0 : points - (refused.consumedPoints - lease))));
      } else if (purse.taken + lease <= points) add(lease);
      else purse.isLast = true;
    }
  };

  const asked = (key: string, purse: Purse): Promise<void> => {
    purse.asking ??= ask(key, purse).finally(() => {
      purse.asking = undefined;
    });
    return purse.asking;
  };

  const purseOf = (key: string): Purse => {
    const known = purses.get(key);
    if (known && known.ends > Date.now()) return known;
    const purse: Purse = {
      left: lease,
      taken: 0,
      ends: Date.now() + duration * 1_000,
      isLast: false,
      wasRefused: false,
      isCharged: false,
      asking: undefined,
    };
    purses.delete(key);
    purses.set(key, purse);
    const oldest = purses.size > KEYS ? purses.keys().next().value : undefined;
    if (oldest !== undefined) purses.delete(oldest);
    return purse;
  };

  const pay = (key: string, purse: Purse): boolean => {
    if (purse.left <= 0) return false;
    purse.left -= 1;
    if (purse.left < lease / 2 && !purse.isLast) void asked(key, purse);
    return true;
  };

  return {
    takeHere: (key) => pay(key, purseOf(key)),
    take: async (key) => {
      const purse = purseOf(key);
      while (!pay(key, purse)) {
        if (purse.isLast && !purse.asking) {
          const isFirst = !purse.wasRefused;
          purse.wasRefused = true;
          return { wait: Math.max(1, purse.ends - Date.now()), isFirst };
        }
        await asked(key, purse);
      }
      return { wait: 0, isFirst: false };
    },
  };
};
