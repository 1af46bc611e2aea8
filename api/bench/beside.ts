import { median } from './bare-inserts.ts';

/** A second, and the limit in the same run; `ratio` is the median of the rounds' own. */
export type Beside = { readonly rate: number; readonly limit: number; readonly ratio: number };

/** How long and how often something is measured. */
export type Patience = { readonly rounds: number; readonly seconds: number };

/** So many rounds are not counted: they warm up connections, plans and the compiler, which goes on with what an order sets off for seconds. */
export const WARM_UPS = 2;

/** Measures both in turns, so that neither has the better minute. */
export const beside = async (
  { rounds }: Pick<Patience, 'rounds'>,
  measureLimit: () => Promise<number>,
  measureRate: () => Promise<number>,
): Promise<Beside> => {
  const pairs: { readonly rate: number; readonly limit: number }[] = [];
  for (let round = 0; round < WARM_UPS + rounds; round++) {
    const limit = await measureLimit();
    const rate = await measureRate();
    if (round >= WARM_UPS) pairs.push({ rate, limit });
  }
  return {
    rate: median(pairs.map(({ rate }) => rate)),
    limit: median(pairs.map(({ limit }) => limit)),
    ratio: median(pairs.map(({ rate, limit }) => rate / limit)),
  };
};
