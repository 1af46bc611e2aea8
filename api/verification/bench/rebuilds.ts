import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Projector } from '#projections/engine/define-projector.ts';
import { readModels } from '#projections/read-models.ts';
import { CHILD_HEAP } from '../../audit/books/check-in-child.ts';
import { stats } from '#projections/stats/projector.ts';

import { median } from './measuring/bare-inserts.ts';
import type { MeasuredRebuild, RebuildTask } from './rebuild-child.ts';

/** Events per second, read and rebuilt, and the peak memory of the rebuilding process, in bytes. */
export type Rebuilt = {
  readonly model: string;
  readonly events: number;
  readonly reading: number;
  readonly rebuilding: number;
  /** Of the rates of rebuilding and reading. */
  readonly ratio: number;
  readonly memory: number;
};

const CHILD = fileURLToPath(new URL('rebuild-child.ts', import.meta.url));

const inChild = async (task: RebuildTask, { name }: Projector, connectionString: string): Promise<MeasuredRebuild> => {
  // As `npm run projections`, and as Site Manager's audit asks what if.
  const heap = task === 'what-if' ? [`--max-old-space-size=${CHILD_HEAP}`] : [];
  const child = fork(CHILD, [task, name, connectionString], { execArgv: ['--import', 'tsx', ...heap] });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The ${task} process ended with ${code}`))),
  ]);
  return message as MeasuredRebuild;
};

const rateOf = ({ events, seconds }: MeasuredRebuild): number => events / seconds;

const measure = async (model: Projector, connectionString: string, rounds: number): Promise<Rebuilt> => {
  const taken: { readonly read: MeasuredRebuild; readonly rebuilt: MeasuredRebuild }[] = [];
  // In turns, so that slow moments of the machine affect both alike.
  for (let round = 0; round < rounds; round++)
    taken.push({
      read: await inChild('read', model, connectionString),
      rebuilt: await inChild('rebuild', model, connectionString),
    });
  return {
    model: model.name,
    events: Math.max(...taken.map(({ rebuilt }) => rebuilt.events)),
    reading: median(taken.map(({ read }) => rateOf(read))),
    rebuilding: median(taken.map(({ rebuilt }) => rateOf(rebuilt))),
    ratio: median(taken.map(({ read, rebuilt }) => rateOf(rebuilt) / rateOf(read))),
    memory: Math.max(...taken.map(({ rebuilt }) => rebuilt.memory)),
  };
};

export const measureRebuilds = async (connectionString: string, rounds: number): Promise<readonly Rebuilt[]> => {
  const rebuilds: Rebuilt[] = [];
  for (const model of readModels) rebuilds.push(await measure(model, connectionString, rounds));
  return rebuilds;
};

/** Measures a what-if over all orders. */
export const measureWhatIf = (connectionString: string): Promise<MeasuredRebuild> => inChild('what-if', stats, connectionString);
