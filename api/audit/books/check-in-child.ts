import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';

import type { ShopConfig } from '../../composition/types/shop.ts';
import type { CheckLine } from './check-books.ts';

/** The child process ended before its check was done; the server's log says why. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  constructor() {
    super('The check ended early, so there is no result. The log of the server says why.');
  }
}

/** A check running in another process. */
export type Check = {
  /** Progress, then the result after the process has ended. Throws `CheckFailed`. */
  readonly lines: AsyncIterator<CheckLine, undefined>;
  /** Settles when the process has ended in any way. */
  readonly ended: Promise<unknown>;
};

/** From source in tests, else from the build output beside this file. */
const isSource = import.meta.filename.endsWith('.ts');
const PROGRAM = path.join(import.meta.dirname, isSource ? '../../composition/check-child.ts' : 'check-child.js');

/**
 * The child's heap limit in MB, for any length of the log: it holds a page, the heads of a limited number of streams, and a batch of a read
 * model.
 */
const HEAP = 128;

/** How long a process may take to stop before it is killed, in ms. */
const ENDS_WITHIN = 10_000;

/**
 * Audits this shop in a separate process, with bounded memory and a lower CPU priority than the shop. Ends early when `until` is aborted.
 */
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
