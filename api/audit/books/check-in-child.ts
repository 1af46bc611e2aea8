import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import path from 'node:path';

import type { ShopConfig } from '../../composition/types/shop.ts';
import type { CheckLine } from './check-books.ts';

/** The child process ended early; the server's log says why. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  constructor() {
    super('The check ended early, so there is no result. The log of the server says why.');
  }
}

export type Check = {
  /** Progress, then the result. Throws `CheckFailed`. */
  readonly lines: AsyncIterator<CheckLine, undefined>;
  readonly ended: Promise<unknown>;
};

/** From source in tests, otherwise from the build beside this file. */
const isSource = import.meta.filename.endsWith('.ts');
const PROGRAM = path.join(import.meta.dirname, isSource ? '../../composition/check-child.ts' : 'check-child.js');

/** In MB, for any log: a page, the heads of a limited number of streams, and a batch of a read model. */
const HEAP = 128;

/** In ms; then it is killed. */
const ENDS_WITHIN = 10_000;

/** Audits the shop in a process with limited memory and lower CPU priority. */
export const checkInChild = (where: ShopConfig, until: AbortSignal): Check => {
  // Warns of TLS to an IP address.
  const execArgv = ['--disable-warning=DEP0123', ...(isSource ? ['--import', 'tsx'] : []), `--max-old-space-size=${HEAP}`];
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
