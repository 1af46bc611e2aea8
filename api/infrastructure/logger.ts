import pino, { type DestinationStream, type Logger } from 'pino';

const FLUSH_EVERY = 500;
const BUFFER = 8_192;

/** What must never stand in a log, wherever in a logged object it is. */
const SECRETS = ['password', 'token', 'otp', 'cookie', 'authorization', 'secret', 'email', 'phone'];

/**
 * One JSON line an entry, secrets left out; JSON escapes line breaks and control characters, so nothing from outside ends a line.
 * Written in blocks, half a second late at most; `flush` writes the rest before the process ends.
 */
export const openLogger = (
  level: string,
  to: DestinationStream = pino.destination({ dest: 1, sync: false, minLength: BUFFER, periodicFlush: FLUSH_EVERY }),
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    to,
  );
