import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';

import type { OtherRules } from '#domain/order/what-if.ts';

import type { ShopConfig } from '../../shop.ts';
import type { CheckLine } from './check-books.ts';

export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  constructor() {
    super('It ended early, so there is no result. The log of the server says why.');
  }
}

export type Check<Line extends object = CheckLine> = {
  /** Yields progress, then the result, which is `done`. Throws `CheckFailed`. */
  readonly lines: AsyncGenerator<Line, undefined>;
  readonly ended: Promise<unknown>;
};

/** This message starts the child's work: with other rules it recalculates all orders, otherwise it checks the books. */
export type ChildTask = { readonly where: ShopConfig; readonly rules?: OtherRules };

/** Tests run the program from source; otherwise it is the build beside this file. */
const isSource = import.meta.filename.endsWith('.ts');
const PROGRAM = path.join(import.meta.dirname, isSource ? '../../composition/check-child.ts' : 'check-child.js');

/** The heap has this many MB, which suffice for any log: a page, the heads of a limited number of streams, and a batch of a read model. */
export const CHILD_HEAP = 128;

/** A child that does not end within this many ms is killed. */
const ENDS_WITHIN = 10_000;

/** Works in a process with limited memory and lower CPU priority. */
export const workInChild = <Line extends object>(task: ChildTask, signal: AbortSignal): Check<Line> => {
  // The warning is about TLS to an IP address.
  const execArgv = ['--disable-warning=DEP0123', ...(isSource ? ['--import', 'tsx'] : []), `--max-old-space-size=${CHILD_HEAP}`];
  const child = fork(PROGRAM, { execArgv, serialization: 'advanced' });
  const ended = once(child, 'exit');
  let last: NodeJS.Timeout | undefined;
  const leave = (): void => {
    if (child.connected) child.disconnect();
    last ??= setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN);
  };
  signal.addEventListener('abort', leave, { once: true });
  child.once('exit', () => {
    clearTimeout(last);
    signal.removeEventListener('abort', leave);
  });
  child.send(task);

  const lines = async function* (): AsyncGenerator<Line, undefined> {
    for await (const [line] of on(child, 'message', { close: ['disconnect'] }) as AsyncIterable<[Line]>) {
      const isLast = 'done' in line;
      if (isLast) await ended;
      yield line;
      if (isLast) return;
      // The child waits for this message before it sends another line, so that lines do not pile up where they are read more slowly.
      if (child.connected) child.send('next');
    }
    await ended;
    if (!signal.aborted) throw new CheckFailed();
  };
  return { lines: lines(), ended };
};

export const checkInChild = (where: ShopConfig, signal: AbortSignal): Check => workInChild({ where }, signal);
