import { describe, expect, test, vi } from 'vitest';

import { simulate, type Run } from './simulate.ts';
import type { Rules } from './world.ts';

const SCHEDULES = 200;
/** So many seeds are tried until a broken rule shows, beginning with one that shows it unless the shop has changed. */
const TRIES = 400;

const brokenIn = ({ verdicts }: Run): readonly string[] =>
  verdicts.filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);

/** The first schedule of a shop without this rule that breaks the invariant. */
const foundWith = async (rules: Partial<Rules>, invariant: RegExp, from: number): Promise<Run> => {
  for (let seed = from; seed < from + TRIES; seed++) {
    const run = await simulate(seed, rules);
    if (brokenIn(run).some((broken) => invariant.test(broken))) return run;
  }
  throw new Error(`None of ${TRIES} schedules shows it`);
};

describe('a simulation', { timeout: 480_000 }, () => {
  test('leaves every order as its shopper was told, however things are interleaved, lost, late and killed', async () => {
    const sums = { placed: 0, killed: 0, merged: 0, claimed: 0, repriced: 0, lost: 0 };
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const run = await simulate(seed);
      expect({ seed, broken: brokenIn(run) }).toEqual({ seed, broken: [] });
      sums.placed += run.placed;
      sums.killed += run.killed;
      const story = run.trace.join('\n');
      if (story.includes('append CartsMerged')) sums.merged += 1;
      if (story.includes('append OrderClaimed')) sums.claimed += 1;
      if (story.includes('append ProductPriceChanged')) sums.repriced += 1;
      if (story.includes('never hears whether it did append')) sums.lost += 1;
    }
    // They were schedules only if there was work, and if something went wrong.
    for (const count of Object.values(sums)) expect(count).toBeGreaterThan(0);
    expect(sums.placed).toBeGreaterThan(SCHEDULES);
  });

  test.each<[string, Partial<Rules>, RegExp, number]>([
    ['a checkpoint that is not saved with its rows', { isOneTransaction: false }, /^no event was applied twice or skipped/, 1],
    [
      'a cart whose versions are all one order',
      { idOf: (derived) => (shopper) => derived(shopper, 0) },
      /^one order for one version of a cart/,
      1,
    ],
    ['a repeated request that is taken for a new one', { knowsRepeats: false }, /^a request that came more than once was done once/, 177],
  ])('finds %s, and its seed replays to the same end step by step', async (_, rules, invariant, from) => {
    const run = await foundWith(rules, invariant, from);
    const { trace, verdicts } = await simulate(run.seed, rules);
    expect(trace).toEqual(run.trace);
    expect(verdicts).toEqual(run.verdicts);
  });

  test('of one seed is the same however fast the clock of the machine goes', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const standing = await simulate(7);
    let reading = 0;
    clock.mockImplementation(() => (reading += 60_000));
    const running = await simulate(7);
    clock.mockRestore();
    expect(running.trace).toEqual(standing.trace);
  });

  test('of another seed is another one', async () => {
    const [one, other] = [await simulate(1), await simulate(2)];
    expect(one.trace).not.toEqual(other.trace);
  });
});
