import type { ReadDatabase } from '../database.ts';
import type { Log } from '../engine/lease.ts';
import type { Projector } from '../engine/define-projector.ts';
import type { ReadableLog } from '../engine/log-rewind.ts';
import { runProjector } from '../engine/worker.ts';

/** A logger that keeps its messages. */
export class RecordedLog implements Log {
  readonly lines: string[] = [];
  info = (_: object, message: string): void => void this.lines.push(message);
  warn = this.info;
  error = this.info;
}

export type Running = {
  readonly log: RecordedLog;
  /** Settles when the worker ends. */ readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts a worker; `stop` ends it and waits. */
export const startWorker = (projector: Projector, log: ReadableLog, database: Pick<ReadDatabase, 'storage'>): Running => {
  const until = new AbortController();
  const said = new RecordedLog();
  const ended = runProjector(projector, log, database, until.signal, said);
  const stop = () => {
    until.abort();
    return ended;
  };
  return { log: said, ended, stop };
};
