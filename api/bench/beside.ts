import { median } from './bare-inserts.ts';
import { inRounds } from './rounds.ts';

/** A second, and the limit in the same run; `ratio` is the median of the rounds' own. */
export type Beside = { readonly rate: number; readonly limit: number; readonly ratio: number };

/** How long and how often something is measured. */
export type Patience = { readonly rounds: number; readonly seconds: number };

/** How often a second something is done, and how often its limit is. */
export type Contest = { readonly limit: () => Promise<number>; readonly rate: () => Promise<number> };

const besideLimit = (rounds: readonly { readonly limit: number; readonly rate: number }[]): Beside => ({
  rate: median(rounds.map(({ rate }) => rate)),
  limit: median(rounds.map(({ limit }) => limit)),
  ratio: median(rounds.map(({ rate, limit }) => rate / limit)),
});

/** Measures all of these in turns, so that none has the better minute: no limit, and no shop either. Answers with one for each of them. */
export const beside = async ({ rounds }: Pick<Patience, 'rounds'>, contests: readonly Contest[]): Promise<readonly Beside[]> => {
  const measured = await inRounds(rounds, async () => {
    const round: { limit: number; rate: number }[] = [];
    for (const { limit, rate } of contests) round.push({ limit: await limit(), rate: await rate() });
    return round;
  });
  return contests.map((_, index) => besideLimit(measured.flatMap((round) => round[index] ?? [])));
};
