import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Projector } from '#projections/projector.ts';
import { readModels } from '#projections/read-models.ts';

import { median } from './bare-inserts.ts';
import type { Measured, Task } from './rebuild-child.ts';

/** Events a second, read and rebuilt in turns, and the memory of the rebuilding process at its peak, in bytes. */
export type Rebuilt = {
  readonly model: string;
  readonly events: number;
  readonly reading: number;
  readonly rebuilding: number;
  /** Rebuilding beside reading and decoding the same pages. */
  readonly ratio: number;
  readonly memory: number;
};

const CHILD = fileURLToPath(new URL('rebuild-child.ts', import.meta.url));

const inChild = async (task: Task, { name }: Projector, connectionString: string): Promise<Measured> => {
  // As `npm run projections` has it, for both.
  const child = fork(CHILD, [task, name, connectionString], { execArgv: ['--import', 'tsx'] });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The ${task} process ended with ${code}`))),
  ]);
  // The child was started by us and sends one message, which its own type describes.
  return message as Measured;
};

const rateOf = ({ events, seconds }: Measured): number => events / seconds;

const measure = async (model: Projector, connectionString: string, rounds: number): Promise<Rebuilt> => {
  const taken: { readonly read: Measured; readonly rebuilt: Measured }[] = [];
  // They take turns, so that none has the better minute.
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

/** Rebuilds each read model of the log, beside just reading the events that it is made of. */
export const measureRebuilds = async (connectionString: string, rounds: number): Promise<readonly Rebuilt[]> => {
  const rebuilds: Rebuilt[] = [];
  for (const model of readModels) rebuilds.push(await measure(model, connectionString, rounds));
  return rebuilds;
};
