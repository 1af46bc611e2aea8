import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Good for ten minutes and five tries; another one a minute later at the earliest (decisions, section 7). */
export const CODE = { length: 6, goodForMs: 10 * 60_000, tries: 5, apartMs: 60_000 } as const;

/** Six digits, each of the million codes as likely as the next. */
export const newCode = (): string => String(randomInt(10 ** CODE.length)).padStart(CODE.length, '0');

/** What is kept of a code: a million guesses are nothing for a plain hash, so it is keyed, and bound to its user. */
export const codeHash = (key: Buffer, userId: string, code: string): Buffer =>
  createHmac('sha256', key).update(`${userId}:${code}`).digest();

export const isSameHash = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
