import { refusalOf, statusOf } from './api.ts';

/** Keys of intents, so that what a shopper asks for twice because the first answer was lost happens once. */
export type IdempotencyKeys = {
  /** The key of this intent: a new one, unless the same was asked before and never answered. */
  of(intent: string): string;
  /** There was an answer: the same words are from now on another intent. */
  release(intent: string): void;
};

/** 128 random bits in hex. Not `randomUUID`, which a shop looked at over plain HTTP in a local network does not have. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Values for `Idempotency-Key`, one for each intent. `newKey` gives a key that nobody else has. */
export const createIdempotencyKeys = (newKey = randomKey): IdempotencyKeys => {
  const open = new Map<string, string>();
  return {
    of: (intent) => {
      const key = open.get(intent) ?? newKey();
      open.set(intent, key);
      return key;
    },
    release: (intent) => void open.delete(intent),
  };
};

/** Whether the server has decided: asked the same again, it would say the same. What it never answered, or broke over, it may have done. */
const wasDecided = (error: unknown): boolean => (statusOf(error) ?? 500) < 500 && refusalOf(error)['code'] !== 'request_under_way';

/** Sends something under the key of its intent, which is forgotten once the server has decided. `intent`: anything that JSON can tell. */
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
