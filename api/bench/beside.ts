import { median } from './bare-inserts.ts';
import { inRounds } from './rounds.ts';

/** A second, and the limit in the same run; `ratio` is the median of the rounds' own. */
export type Beside = { readonly rate: number; readonly limit: number; readonly ratio: number };

/** How long and how often something is measured. */
export type Patience = { readonly rounds: number; readonly seconds: number };

/** Measures both in turns, so that neither has the better minute. */
export const beside = async (
  { rounds }: Pick<Patience, 'rounds'>,
  measureLimit: () => Promise<number>,
  measureRate: () => Promise<number>,
): Promise<Beside> => {
  const pairs = await inRounds(rounds, async () => ({ limit: await measureLimit(), rate: await measureRate() }));
  return {
    rate: median(pairs.map(({ rate }) => rate)),
    limit: median(pairs.map(({ limit }) => limit)),
    ratio: median(pairs.map(({ rate, limit }) => rate / limit)),
  };
};
