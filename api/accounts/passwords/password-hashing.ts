import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';

import { unavailable } from '../../http/http-error.ts';

/** Runs `atOnce` jobs and lets `waiting` more wait; further jobs get a 503, so that a flood does not delay everything. */
export const semaphore = (atOnce: number, waiting: number) => {
  const queue: (() => void)[] = [];
  let running = 0;

  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw unavailable('The shop is very busy. Please try again in a moment.');
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await job();
    } finally {
      // The slot is passed on instead of released, so that no new job gets in between.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** The cost of Argon2id is memory in KiB, passes, and lanes. After a change each account is rehashed at its next sign-in. */
export type HashingCost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };

const COST: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const WAITING = 200;

export type PasswordHashing = {
  hash(password: string): Promise<string>;
  /** Returns false without a hash, after the same time. */
  matches(password: string, hashed: string | null | undefined): Promise<boolean>;
  isOutdated(hashed: string): boolean;
};

/** Hashes as many passwords at once as there are processors. Tests watch `compare`. */
export const passwordHashing = (
  cost: HashingCost = COST,
  compare: (hashed: string, password: string) => Promise<boolean> = verify,
): PasswordHashing => {
  const inTurn = semaphore(availableParallelism(), WAITING);
  const hashNow = (password: string): Promise<string> => inTurn(() => hash(password, cost));
  let decoy: Promise<string> | undefined;

  return {
    hash: hashNow,
    matches: async (password, hashed) => {
      decoy ??= hash('nobody has this password', cost);
      const against = hashed ?? (await decoy);
      const isSame = await inTurn(() => compare(against, password));
      return isSame && hashed !== null && hashed !== undefined;
    },
    isOutdated: (hashed) => {
      const was = parseOptions(hashed);
      return was.memoryCost < cost.memoryCost || was.timeCost < cost.timeCost || was.parallelism < cost.parallelism;
    },
  };
};
