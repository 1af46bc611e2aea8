import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const MAIN = path.resolve('.build/server/main.js');

export type ShopProcess = { readonly child: ChildProcess; readonly said: () => string; readonly exited: Promise<number | null> };

/** Starts the built shop, or another program of it, with these variables only. */
export const startProcess = (env: Readonly<Record<string, string>>, args: readonly string[] = [], program = MAIN): ShopProcess => {
  const own = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', ...env };
  const child = spawn(process.execPath, [program, ...args], { env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, said: () => output, exited: once(child, 'exit').then(([code]: (number | null)[]) => code ?? null) };
};

/** Waits for this pattern in the output, and returns its first group. Throws when the process ends before. */
export const heard = ({ child, said }: ShopProcess, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const [, found] = pattern.exec(said()) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', look);
    child.once('exit', () => reject(new Error(`It ended without saying ${pattern}: ${said()}`)));
    look();
  });

export const opened = (process: ShopProcess): Promise<string> => heard(process, /Shop +(http:\S+)/);
