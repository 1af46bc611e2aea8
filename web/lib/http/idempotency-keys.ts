import { getRefusal, getHttpStatus } from './api.ts';

/** Values for the `Idempotency-Key` header, so that a command repeated after a lost response takes effect once. */
export type IdempotencyKeys = {
  /** Returns the key of this intent, the same one until it is released. */
  of(intent: string): string;
  /** Forgets the key after the server has decided: the same intent then gets a new key. */
  release(intent: string): void;
};

/** Returns 128 random bits in hex. `randomUUID` is missing on plain HTTP in a local network. */
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
 * Returns whether the server has decided, so that a repetition would get the same answer. Without a response, or after a 5xx, it is unknown
 * whether the command took effect.
 */
const wasDecided = (error: unknown): boolean => (getHttpStatus(error) ?? 500) < 500 && getRefusal(error)['code'] !== 'request_under_way';

/** Sends a command under the key of its intent and releases the key once the server has decided. `intent` may be any JSON value. */
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
