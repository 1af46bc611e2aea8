import { describe, expect, test, vi } from 'vitest';

import { isLongRun } from '../../testing/long-run.ts';
import { PLANTED, type PlantedFault } from './planted-faults.ts';
import { simulate, type Run } from './simulate.ts';

const SCHEDULES = isLongRun ? 1_000 : 16;
const OF_TAX_DOCUMENTS = isLongRun ? 300 : 28;
const OF_STOCK = isLongRun ? 1_000 : 12;
/** Until a planted fault is found. */
const TRIES = isLongRun ? 5_000 : 300;

/** Matches a line of a trace, for the step after which a worker is killed or stopped. */
const PAPER_STEP = / worker \d ((?:asks to|hears of) (?:append|ask what|read|commit of)).*(?:invoices-|credit-notes-|issue-papers)/;

const brokenIn = ({ verdicts }: Run): readonly string[] =>
  verdicts.filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);

/** Expects that a schedule violates the invariant; a sample begins with the one that is known. */
const expectFound = async ({ plant, breaks, subject, seed: known = 1 }: PlantedFault): Promise<void> => {
  for (let seed = isLongRun ? 1 : known; seed <= TRIES; seed++)
    if (brokenIn(await simulate(seed, plant, subject)).some((broken) => breaks.test(broken))) return;
  throw new Error(`None of ${TRIES} schedules shows it`);
};

describe('a simulation', { timeout: 480_000 }, () => {
  test('keeps every order as its shopper was told, with lost and late messages and with stopped and killed processes', async () => {
    const sums = {
      placed: 0,
      killed: 0,
      stopped: 0,
      merged: 0,
      claimed: 0,
      repriced: 0,
      reserved: 0,
      abandoned: 0,
      shipped: 0,
      lost: 0,
      late: 0,
    };
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const run = await simulate(seed);
      expect({ seed, broken: brokenIn(run) }).toEqual({ seed, broken: [] });
      sums.placed += run.placed;
      sums.killed += run.killed;
      const story = run.trace.join('\n');
      if (story.includes('is stopped')) sums.stopped += 1;
      if (story.includes('append CartsMerged')) sums.merged += 1;
      if (story.includes('append OrderClaimed')) sums.claimed += 1;
      if (story.includes('append ProductPriceChanged')) sums.repriced += 1;
      if (story.includes('append StockReserved')) sums.reserved += 1;
      if (story.includes('append PlacingAbandoned')) sums.abandoned += 1;
      if (story.includes('append StockShipped')) sums.shipped += 1;
      if (story.includes('never hears whether it did append')) sums.lost += 1;
      if (story.includes('arrives late: append')) sums.late += 1;
    }
    // The schedules are only valid if all these kinds of work and faults occurred.
    const { merged, claimed, shipped, ...often } = sums;
    for (const count of Object.values(often)) expect(count).toBeGreaterThan(0);
    expect(merged + claimed + shipped).toBeGreaterThan(0);
    expect(sums.placed).toBeGreaterThan(SCHEDULES / 2);
  });

  test('gives each shipped order one invoice and each returned order one credit note, whatever step is interrupted', async () => {
    const sums = { invoices: 0, creditNotes: 0 };
    const interrupted = new Set<string>();
    for (let seed = 1; seed <= OF_TAX_DOCUMENTS; seed++) {
      const run = await simulate(seed, {}, 'taxDocuments');
      expect({ seed, broken: brokenIn(run) }).toEqual({ seed, broken: [] });
      sums.invoices += run.invoices;
      sums.creditNotes += run.creditNotes;
      run.trace.forEach((line, step) => {
        const [, how] = / is (killed|stopped)$/.exec(line) ?? [];
        const [, what] = PAPER_STEP.exec(run.trace[step - 1] ?? '') ?? [];
        if (how && what) interrupted.add(`${how} when it ${what}`);
      });
    }
    // After each question for earlier tax documents, append and checkpoint: executed without an answer, or answered.
    const steps = ['ask what', 'read', 'append', 'commit of'].flatMap((step) => [`asks to ${step}`, `hears of ${step}`]);
    const all = steps.flatMap((step) => [`killed when it ${step}`, `stopped when it ${step}`]);
    expect([...interrupted].toSorted()).toEqual(all.toSorted());
    expect(sums.invoices).toBeGreaterThan(10 * OF_TAX_DOCUMENTS);
    expect(sums.creditNotes).toBeGreaterThan(5 * OF_TAX_DOCUMENTS);
  });

  test('refuses nobody a bottle that is there, and sells none twice, whatever placing is killed or stopped', async () => {
    let placed = 0;
    for (let seed = 1; seed <= OF_STOCK; seed++) {
      const run = await simulate(seed, {}, 'stock');
      expect({ seed, broken: brokenIn(run) }).toEqual({ seed, broken: [] });
      placed += run.placed;
    }
    expect(placed).toBeGreaterThan(OF_STOCK / 4);
  });

  test.each(PLANTED.filter(({ seed }) => isLongRun || seed !== undefined))('finds $fault', expectFound);

  test('has the same steps for the same seed at any speed of the machine, and others for another seed', async () => {
    let reading = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (reading += 0.001));
    const slow = await simulate(7);
    clock.mockImplementation(() => (reading += 60_000));
    const fast = await simulate(7);
    clock.mockRestore();
    expect(fast.trace).toEqual(slow.trace);
    expect((await simulate(8)).trace).not.toEqual(slow.trace);
  });
});
