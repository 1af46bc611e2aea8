import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import pino, { type DestinationStream, type Logger } from 'pino';

/** `FLUSH_EVERY` is in ms, `BATCH` in characters. A line may wait twice this time. */
const FLUSH_EVERY = 250;
const BATCH = 32_768;
const MOST_BUFFERED = 8 * 2 ** 20;
/** `end` waits this many ms for a reader that does not read. */
const READ_WITHIN = 5_000;

/** These fields are removed from logged objects at any depth. */
const SECRETS = ['password', 'token', 'otp', 'cookie', 'authorization', 'secret', 'email', 'phone'];

export type ShopLogger = Logger & {
  /** Writes the buffer, unless its reader does not read. Log nothing after it. */
  end(): Promise<void>;
};

type Destination = DestinationStream & { end?(): void };

/** Writes in batches. While the reader does not read, lines beyond `MOST_BUFFERED` are dropped; a later line says how many. */
const standardOutput = (): ReturnType<typeof pino.destination> => {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BATCH,
    maxWrite: 2 * BATCH,
    maxLength: MOST_BUFFERED,
    periodicFlush: FLUSH_EVERY,
  });
  let dropped = 0;
  output.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const line = JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg: 'Lines of the log were dropped' });
    dropped = 0;
    output.write(`${line}\n`);
  });
  return output;
};

/** Writes lines for the person at the terminal, each at once. A process without a terminal never loads the formatter. */
const terminal = (): Destination => {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return { write: (lines) => void process.stdout.write(lines.trimEnd().split('\n').map(format).join('')) };
};

/**
 * Logs one JSON line for each entry, without secrets. JSON escapes control characters, so that logged input cannot forge a line. Call `end`
 * before the process ends, because lines are written in batches. At a terminal, lines are formatted for people.
 */
export const openLogger = (level: string, to: Destination = process.stdout.isTTY ? terminal() : standardOutput()): ShopLogger => {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    to,
  );
  const end = async (): Promise<void> => {
    if (!to.end) return;
    const finished = once(to as ReturnType<typeof pino.destination>, 'finish'); // the cast is safe: `end` exists only on pino's destination
    to.end();
    const isStuck = await Promise.race([finished.then(() => false), pause(READ_WITHIN, true, { ref: false })]);
    // Otherwise the process would wait for the reader at its end.
    if (isStuck) (to as ReturnType<typeof pino.destination>).destroy();
  };
  return Object.assign(logger, { end });
};
