import type { Brand } from './brand.ts';

/** A moment in UTC as ISO 8601 text with milliseconds, `2026-11-14T08:33:00.000Z`; text order is time order. */
export type Instant = Brand<string, 'Instant'>;

const PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Takes the text that `Date.prototype.toISOString` writes. Throws on anything else. */
export const instant = (text: string): Instant => {
  if (!PATTERN.test(text)) throw new Error(`Not an instant: ${text}`);
  return text as Instant;
};
