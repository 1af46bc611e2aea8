import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';

import { readModels } from '#projections/read-models.ts';

import type { SeededRandom } from '../journeys/seeded-random.ts';
import type { RecordedAnswers } from '../journeys/recorded-answers.ts';

/** A backup taken while the shop runs. `placed` are the orders confirmed before the backup began. */
export type DrillBackup = { readonly log: string; readonly keys: string; readonly placed: RecordedAnswers['placed'] };

type Ran = { readonly code: number | null; readonly said: string };

export const runCommand = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> => {
  const child = spawn(process.execPath, [path.resolve('.build/server/command.js'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
};

type Parts = {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly recorded: Pick<RecordedAnswers, 'placed'>;
};

export const operatorCommandsFor = ({ dataDir, env, recorded }: Parts) => {
  const underWay = new Map<string, Promise<void>>();
  const backups: DrillBackup[] = [];
  let rebuilt = 0;
  const begin = (name: string, args: readonly string[], onDone: () => void): boolean => {
    if (underWay.has(name)) return false;
    const work = async (): Promise<void> => {
      const { code, said } = await runCommand(args, env);
      appendFileSync(path.join(dataDir, 'processes.log'), said);
      if (code === 0) onDone();
      underWay.delete(name);
    };
    underWay.set(name, work());
    return true;
  };
  return {
    /** Starts rebuilding one of the read models. Returns false while a rebuild is running. */
    rebuild: (random: SeededRandom): boolean => {
      const [first, ...others] = readModels;
      if (!first) return false;
      return begin('rebuild', ['projections', 'rebuild', random.oneOf([first, ...others]).name], () => (rebuilt += 1));
    },
    backUp: (): boolean => {
      const log = path.join(dataDir, `backup-${crypto.randomUUID()}`);
      const backup = { log, keys: `${log}-keys`, placed: new Map(recorded.placed) };
      return begin('backup', ['backup', backup.log, '--keys', backup.keys], () => backups.push(backup));
    },
    ended: async () => void (await Promise.all(underWay.values())),
    /** Only completed commands are counted, because a fault may interrupt them. */
    rebuilt: () => rebuilt,
    backups,
  };
};
