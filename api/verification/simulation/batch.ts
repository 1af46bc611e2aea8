import { simulate, subjects } from './simulate.ts';

// Runs the schedules of every `step`th seed from `first` to before `end`, and sends each result to its parent.
const [first = 1, end = 1, step = 1] = process.argv.slice(2, 5).map(Number);
const subject = subjects.find((each) => each === process.argv[5]);
for (let seed = first; seed < end; seed += step) {
  const { trace, verdicts, ...run } = await simulate(seed, {}, subject);
  process.send?.({ ...run, steps: trace.length, broken: verdicts.filter(({ broken }) => broken.length > 0) });
}
process.disconnect();
