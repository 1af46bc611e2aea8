import { median } from './bare-inserts.ts';

/** They warm up connections, plans and the compiler, which takes seconds with the work of an order. */
const WARM_UPS = 2;

/** One round after the other, after warm-up rounds that are not counted. */
export const inRounds = async <Round>(rounds: number, measure: () => Promise<Round>): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  for (let round = 0; round < WARM_UPS + rounds; round++) measured.push(await measure());
  return measured.slice(WARM_UPS);
};

/** Per second, in the same run; `ratio` is the median of the rounds' ratios. */
export type Comparison = { readonly rate: number; readonly limit: number; readonly ratio: number };

export type MeasuringTime = { readonly rounds: number; readonly seconds: number };

export type MeasuredPair = { readonly limit: () => Promise<number>; readonly rate: () => Promise<number> };

const comparisonOf = (rounds: readonly { readonly limit: number; readonly rate: number }[]): Comparison => ({
  rate: median(rounds.map(({ rate }) => rate)),
  limit: median(rounds.map(({ limit }) => limit)),
  ratio: median(rounds.map(({ rate, limit }) => rate / limit)),
});

/** Measures these in turns, so that slow moments of the machine affect all alike. Returns one result for each. */
export const compareWithLimit = async (
  { rounds }: Pick<MeasuringTime, 'rounds'>,
  pairs: readonly MeasuredPair[],
): Promise<readonly Comparison[]> => {
  const measured = await inRounds(rounds, async () => {
    const round: { limit: number; rate: number }[] = [];
    for (const { limit, rate } of pairs) round.push({ limit: await limit(), rate: await rate() });
    return round;
  });
  return pairs.map((_, index) => comparisonOf(measured.flatMap((round) => round[index] ?? [])));
};
