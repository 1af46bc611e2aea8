/** These warm up connections, plans and the compiler, which goes on for seconds with what an order sets off. */
const WARM_UPS = 2;

/** What `measure` gives in each of so many rounds, one after the other; those before them, which warm up, are not counted. */
export const inRounds = async <Round>(rounds: number, measure: () => Promise<Round>): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  for (let round = 0; round < WARM_UPS + rounds; round++) measured.push(await measure());
  return measured.slice(WARM_UPS);
};
