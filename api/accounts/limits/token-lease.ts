import { RateLimiterRes, type RateLimiterPostgres } from 'rate-limiter-flexible';

/** This process's share of one key's allowance. */
type TokenLease = {
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

export type TokenLeases = {
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
export const tokenLeases = (limiter: RateLimiterPostgres, leases: number, nameOf: (key: string) => string = (key) => key): TokenLeases => {
  const { points, duration } = limiter;
  const leaseSize = Math.max(1, Math.floor(points / leases));
  const held = new Map<string, TokenLease>();

  const ask = async (key: string, lease: TokenLease): Promise<void> => {
    const isOnCredit = !lease.isCharged;
    lease.isCharged = true;
    const add = (granted: number): void => {
      lease.left += isOnCredit ? granted - leaseSize : granted;
      lease.taken += granted;
    };
    try {
      const { msBeforeNext } = await limiter.consume(nameOf(key), leaseSize);
      lease.ends = Date.now() + msBeforeNext;
      add(leaseSize);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) {
        lease.ends = Date.now() + refused.msBeforeNext;
        lease.isLast = true;
        // The part that did not fit may still hold the last few; one that was refused from memory says nothing of them.
        add(Math.min(leaseSize, Math.max(0, refused.consumedPoints === 0 ? 0 : points - (refused.consumedPoints - leaseSize))));
      } else if (lease.taken + leaseSize <= points) add(leaseSize);
      else lease.isLast = true;
    }
  };

  const asked = (key: string, lease: TokenLease): Promise<void> => {
    lease.asking ??= ask(key, lease).finally(() => {
      lease.asking = undefined;
    });
    return lease.asking;
  };

  const leaseOf = (key: string): TokenLease => {
    const known = held.get(key);
    if (known && known.ends > Date.now()) return known;
    const lease: TokenLease = {
      left: leaseSize,
      taken: 0,
      ends: Date.now() + duration * 1_000,
      isLast: false,
      wasRefused: false,
      isCharged: false,
      asking: undefined,
    };
    held.delete(key);
    held.set(key, lease);
    const oldest = held.size > KEYS ? held.keys().next().value : undefined;
    if (oldest !== undefined) held.delete(oldest);
    return lease;
  };

  const spend = (key: string, lease: TokenLease): boolean => {
    if (lease.left <= 0) return false;
    lease.left -= 1;
    if (lease.left < leaseSize / 2 && !lease.isLast) void asked(key, lease);
    return true;
  };

  return {
    takeHere: (key) => spend(key, leaseOf(key)),
    take: async (key) => {
      const lease = leaseOf(key);
      while (!spend(key, lease)) {
        if (lease.isLast && !lease.asking) {
          const isFirst = !lease.wasRefused;
          lease.wasRefused = true;
          return { wait: Math.max(1, lease.ends - Date.now()), isFirst };
        }
        await asked(key, lease);
      }
      return { wait: 0, isFirst: false };
    },
  };
};
