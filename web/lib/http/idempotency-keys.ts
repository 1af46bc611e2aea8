import { refusalOf, httpStatusOf } from './api.ts';

/** Values for the `Idempotency-Key` header, so that a command repeated after a lost response takes effect once. */
export type IdempotencyKeys = {
  /** The key of this intent. A repeated intent keeps its key until it is released. */
  of(intent: string): string;
  /** The server has decided: the same intent from now on gets a new key. */
  release(intent: string): void;
};

/** 128 random bits in hex. Not `randomUUID`, which is missing on plain HTTP in a local network. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const createIdempotencyKeys = (): IdempotencyKeys => {
  const open = new Map<string, string>();
  return {
    of: (intent) => {
      const key = open.get(intent) ?? randomKey();
      open.set(intent, key);
      return key;
    },
    release: (intent) => void open.delete(intent),
  };
};

/**
 * Whether the server has decided, so that a repetition would get the same answer. After no response, or a 5xx, the command may have taken
 * effect.
 */
const wasDecided = (error: unknown): boolean => (httpStatusOf(error) ?? 500) < 500 && refusalOf(error)['code'] !== 'request_under_way';

/** Sends a command under the key of its intent and releases the key once the server has decided. `intent`: any JSON value. */
export const withIdempotencyKey = async <Answer>(
  keys: IdempotencyKeys,
  intent: unknown,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> => {
  const name = JSON.stringify(intent);
  try {
    const answer = await send(keys.of(name));
    keys.release(name);
    return answer;
  } catch (error) {
    if (wasDecided(error)) keys.release(name);
    throw error;
  }
};
