import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

import type { InvariantResult } from '../journeys/verdicts.ts';
import { simulate, type Run, type Subject } from './simulate.ts';

type Outcome = Omit<Run, 'trace' | 'verdicts'> & { readonly steps: number; readonly broken: readonly InvariantResult[] };

const SAID_EVERY = 1_000;
const NAMED = 20;

/** A child process runs every `step`th seed from `first` to before `end`. */
type Batch = { readonly first: number; readonly end: number; readonly step: number; readonly subject: Subject };

const runBatch = ({ first, end, step, subject }: Batch, onOutcome: (outcome: Outcome) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const batch = fork(path.join(import.meta.dirname, 'batch.ts'), [first, end, step, subject].map(String));
    batch.on('message', (outcome) => onOutcome(outcome as Outcome));
    batch.once('error', reject);
    batch.once('exit', () => resolve());
  });

const tellBroken = (broken: readonly InvariantResult[]): void => {
  for (const { invariant, broken: what } of broken) console.log([`BROKEN ${invariant}`, ...what.slice(0, 10)].join('\n       '));
};

/** Runs one seed, prints every step and returns the exit code. */
export const replay = async (seed: number, subject: Subject): Promise<number> => {
  const { trace, verdicts, ...run } = await simulate(seed, {}, subject);
  const broken = verdicts.filter((verdict) => verdict.broken.length > 0);
  console.log(trace.join('\n'));
  console.log(`Seed ${seed}: ${trace.length} steps, ${run.events} events, ${run.placed} orders placed, ${run.killed} processes killed`);
  tellBroken(broken);
  return broken.length === 0 ? 0 : 1;
};

/** Runs one schedule per seed on all cores, prints those that violate an invariant and returns the exit code. */
export const runSimulation = async (first: number, schedules: number, subject: Subject): Promise<number> => {
  const began = performance.now();
  const sums = { done: 0, steps: 0, events: 0, placed: 0, killed: 0 };
  const failing: number[] = [];
  const count = ({ seed, steps, events, placed, killed, broken }: Outcome): void => {
    sums.done += 1;
    sums.steps += steps;
    sums.events += events;
    sums.placed += placed;
    sums.killed += killed;
    if (broken.length > 0) failing.push(seed);
    if (failing.length === 1 && broken.length > 0) tellBroken(broken);
    if (sums.done % SAID_EVERY === 0 && sums.done < schedules) console.log(`${sums.done} schedules, ${failing.length} of them broken`);
  };
  const cores = availableParallelism();
  const batches = Array.from({ length: cores }, (_, index) => ({ first: first + index, end: first + schedules, step: cores, subject }));
  await Promise.all(batches.map((batch) => runBatch(batch, count)));
  const seconds = (performance.now() - began) / 1_000;
  const { done, steps, events, placed, killed } = sums;
  console.log(`${done} schedules from seed ${first} on in ${seconds.toFixed(1)} s: ${Math.round((60 * done) / seconds)} a minute`);
  console.log(`${steps} steps, ${events} events, ${placed} orders placed, ${killed} processes killed`);
  if (failing.length === 0) console.log('Every invariant holds in all of them');
  else
    console.log(
      `An invariant is broken in ${failing.length}: seeds ${failing.slice(0, NAMED).join(', ')}. Look at one with --simulate --seed <seed>`,
    );
  return failing.length === 0 && done === schedules ? 0 : 1;
};
