import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';

import type { ShopConfig } from '../../composition/types/shop.ts';
import type { CheckLine } from './check-books.ts';

/** The child ended before its check was done; the server's log says why. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  constructor() {
    super('The check of the books broke off before its end, so nothing can be said of them. The log of the server says why.');
  }
}

/** A check that goes on in another process. */
export type Check = {
  /** Progress, and last the result, once the process has ended. Throws `CheckFailed`. */
  readonly lines: AsyncIterator<CheckLine, undefined>;
  /** When the process has ended, in whatever way. */
  readonly ended: Promise<unknown>;
};

/** From source in tests, else as a program of the build beside this one. */
const isSource = import.meta.filename.endsWith('.ts');
const PROGRAM = path.join(import.meta.dirname, isSource ? '../../composition/check-child.ts' : 'check-child.js');

/** The limit of the child's heap, in MB, for a log of any length: it holds a page, the heads of a limited number of streams, and a batch of a read model. */
const HEAP = 128;

/** How long a process that was told to end may take, in ms. */
const ENDS_WITHIN = 10_000;

/** Checks the books of this shop in a process of its own, with bounded memory and less of the processor than the shop. Ends early when `until` is aborted. */
export const checkInChild = (where: ShopConfig, until: AbortSignal): Check => {
  const execArgv = [...(isSource ? ['--import', 'tsx'] : []), `--max-old-space-size=${HEAP}`];
  const child = fork(PROGRAM, { execArgv, serialization: 'advanced' });
  const ended = once(child, 'exit');
  let last: NodeJS.Timeout | undefined;
  const leave = (): void => {
    if (child.connected) child.disconnect();
    last ??= setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN);
  };
  until.addEventListener('abort', leave, { once: true });
  child.once('exit', () => {
    clearTimeout(last);
    until.removeEventListener('abort', leave);
  });
  child.send(where);

  const lines = async function* (): AsyncGenerator<CheckLine, undefined> {
    for await (const [line] of on(child, 'message', { close: ['disconnect'] }) as AsyncIterable<[CheckLine]>) {
      if ('done' in line) {
        await ended;
        yield line;
        return;
      }
      yield line;
    }
    await ended;
    if (!until.aborted) throw new CheckFailed();
  };
  return { lines: lines(), ended };
};
