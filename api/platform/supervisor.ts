import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

import { CannotStart } from './cannot-start.ts';

/** The environment variables are added to those of this process. */
export type ProcessTask = { readonly name: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

type Supervised = { readonly file: string; readonly tasks: readonly ProcessTask[]; readonly signal: AbortSignal; readonly log: Logger };

/** A process is restarted after this many ms. */
const RESTART_DELAY_MS = 1_000;

const OPEN = 'open';

export const reportOpen = (): void => {
  process.send?.(OPEN);
};

/** The supervisor sends the number of processes that are not open at each change. */
type ProcessStatus = { readonly notOpen: number };

/**
 * Returns the number of the supervisor's processes, including this one, that are starting or about to be restarted. Returns undefined
 * without a supervisor.
 */
export const followProcesses = (): (() => number) | undefined => {
  if (!cluster.isWorker) return undefined;
  let { notOpen }: ProcessStatus = { notOpen: 1 };
  process.on('message', (status: ProcessStatus) => ({ notOpen } = status));
  return () => notOpen;
};

/** `once` is not used, because it rejects at an error: an undelivered message does not mean that the worker has ended. */
const exited = (worker: Worker): Promise<void> =>
  worker.isDead() ? Promise.resolve() : new Promise((resolve) => worker.once('exit', () => resolve()));

class Supervisor {
  readonly #running = new Set<Worker>();
  readonly #open = new Set<Worker>();

  constructor(readonly parts: Supervised) {}

  #fork({ args, env = {} }: ProcessTask): Worker {
    // The settings apply to the next fork, and nothing is awaited in between.
    cluster.setupPrimary({ exec: this.parts.file, args: [...args] });
    const worker = cluster.fork(env);
    this.#running.add(worker);
    worker.once('message', () => {
      this.#open.add(worker);
      this.#notifyAll();
    });
    worker.once('exit', () => {
      this.#running.delete(worker);
      this.#open.delete(worker);
      this.#notifyAll();
    });
    // The worker cannot receive messages any more; its exit is handled elsewhere.
    worker.on('error', () => {});
    return worker;
  }

  #notifyAll(): void {
    const status: ProcessStatus = { notOpen: this.parts.tasks.length - this.#open.size };
    for (const worker of this.#open) if (worker.isConnected()) worker.send(status);
  }

  /** Resolves when the process is open, or was killed. Throws when it ends by itself. */
  async start(task: ProcessTask): Promise<void> {
    const worker = this.#fork(task);
    await Promise.race([new Promise((resolve) => worker.once('message', resolve)), exited(worker)]);
    if (worker.process.exitCode !== null && !this.parts.signal.aborted)
      throw new CannotStart(`${task.name} did not start: it says why above.`);
    void this.#keep(task, worker);
  }

  async #keep(task: ProcessTask, first: Worker): Promise<void> {
    const { signal, log } = this.parts;
    for (let worker = first; ; worker = this.#fork(task)) {
      await exited(worker);
      if (signal.aborted) return;
      log.error(
        { process: task.name, code: worker.process.exitCode, signal: worker.process.signalCode },
        'A process ended: starting another',
      );
      await pause(RESTART_DELAY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  async end(): Promise<void> {
    const ended = [...this.#running].map(exited);
    for (const worker of this.#running) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  }
}

/**
 * Runs these processes of the program `file`, each after those before it are open, and restarts them until the signal is aborted. Processes
 * that listen on the same port share its connections. Throws `CannotStart` when one does not open at first.
 */
export const supervise = async (parts: Supervised): Promise<void> => {
  const supervisor = new Supervisor(parts);
  try {
    for (const task of parts.tasks) if (!parts.signal.aborted) await supervisor.start(task);
    if (!parts.signal.aborted) await once(parts.signal, 'abort');
  } finally {
    await supervisor.end();
  }
};
