import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Valid for ten minutes and five tries; the next one can be sent after a minute. */
export const CODE = { length: 6, goodForMs: 10 * 60_000, tries: 5, apartMs: 60_000 } as const;

/** Six digits, all million codes equally likely. */
export const newCode = (): string => String(randomInt(10 ** CODE.length)).padStart(CODE.length, '0');

/** The stored hash of a code. It is keyed, since a million plain hashes are computed in no time, and bound to its user. */
export const codeHash = (key: Buffer, userId: string, code: string): Buffer =>
  createHmac('sha256', key).update(`${userId}:${code}`).digest();

export const isSameHash = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
