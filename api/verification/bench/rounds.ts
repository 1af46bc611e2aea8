/** Rounds that warm up connections, plans and the compiler, which takes seconds with the work that an order causes. */
const WARM_UPS = 2;

/** The results of `measure` in this many rounds, one after the other; warm-up rounds before them are not counted. */
export const inRounds = async <Round>(rounds: number, measure: () => Promise<Round>): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  for (let round = 0; round < WARM_UPS + rounds; round++) measured.push(await measure());
  return measured.slice(WARM_UPS);
};
