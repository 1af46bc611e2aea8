import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

type Start = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
};

const RETRY_DELAY_MS = 200;
const ENDS_WITHIN_MS = 60_000;

/** Starts a process and restarts it whenever it ends, as an orchestrator does. */
export const keepRunning = ({ name, args, env, onOutput }: Start) => {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let starts = 0;
  let isEnding = false;

  const runOnce = async (): Promise<void> => {
    starts += 1;
    const started = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    let said = '';
    const hear = (chunk: Buffer): void => {
      const text = chunk.toString();
      onOutput(text);
      if (url !== undefined) return;
      said += text;
      url = /listening on (http:\S+)/.exec(said)?.[1];
    };
    started.stdout?.on('data', hear);
    started.stderr?.on('data', hear);
    await once(started, 'exit');
    url = undefined;
  };
  const running = (async () => {
    while (!isEnding) {
      await runOnce();
      if (!isEnding) await pause(RETRY_DELAY_MS);
    }
  })();

  return {
    name,
    url: () => url,
    starts: () => starts,
    signal: (signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => child?.kill(signal),
    /** Stops the process for good. Returns false if it did not stop in time and was killed. */
    end: async () => {
      isEnding = true;
      child?.kill('SIGCONT');
      child?.kill('SIGTERM');
      let isOrderly = true;
      const killing = setTimeout(() => {
        isOrderly = false;
        child?.kill('SIGKILL');
      }, ENDS_WITHIN_MS);
      await running;
      clearTimeout(killing);
      return isOrderly;
    },
  };
};

export type RestartedProcess = Readonly<ReturnType<typeof keepRunning>>;
