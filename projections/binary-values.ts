import { instant, type Instant } from '#domain/shared/instant.ts';
import { isUuid } from '#domain/shared/uuid.ts';

import type { ColumnKind } from './projector.ts';

/** Writes a value as binary COPY has those of its kind, and answers with the bytes that it took. Throws on what is none of the kind. */
type Write = (into: Buffer, value: unknown, at: number) => number;

const refuse = (value: unknown, wanted: string): never => {
  throw new Error(`${String(value)} is not ${wanted}`);
};

const whole = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : refuse(value, 'a whole number'));

const text: Write = (into, value, at) => into.write(typeof value === 'string' ? value : refuse(value, 'a text'), at);

const HALF = 2 ** 32;

/** A whole number in eight bytes, without a `bigint` for it. */
const int64 = (into: Buffer, value: number, at: number): number => {
  into.writeInt32BE(Math.floor(value / HALF), at);
  into.writeUInt32BE(((value % HALF) + HALF) % HALF, at + 4);
  return 8;
};

const int32 = (into: Buffer, value: number, at: number): number => into.writeInt32BE(value, at) - at;

const UUID_BYTES = 16;
/** Where the 32 digits of a uuid stand in its text, without the dashes between them. */
const DIGITS_AT = [...'00000000-0000-0000-0000-000000000000'].flatMap((character, at) => (character === '0' ? [at] : []));

/** Of a digit of base 16, told by its character: 0 to 9, a to f. */
const digit = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
};

const uuid: Write = (into, value, at) => {
  const text = typeof value === 'string' && isUuid(value) ? value : refuse(value, 'a uuid');
  for (let byte = 0; byte < UUID_BYTES; byte++)
    into[at + byte] = 16 * digit(text, DIGITS_AT[2 * byte] ?? 0) + digit(text, DIGITS_AT[2 * byte + 1] ?? 0);
  return UUID_BYTES;
};

const DAY = 86_400_000;
/** Where Postgres begins to count time. The year before its first is no year 0 there. */
const ITS_EPOCH = Date.UTC(2000, 0, 1);
const NO_YEAR = '0000';
/** Every month has these. */
const DAYS_OF_EACH = 28;

/** Since the epoch of Postgres, in ms. `Date.parse` takes a 31st of February for the 3rd of March, which it is not. */
const since = (moment: Instant): number => {
  const time = Date.parse(moment);
  const day = Number(moment.slice(8, 10));
  const isThere = day <= DAYS_OF_EACH || new Date(time).getUTCDate() === day;
  return isThere && !moment.startsWith(NO_YEAR) ? time - ITS_EPOCH : refuse(moment, 'in the calendar');
};

/** The base in which a `numeric` has its digits, and as many as a `numeric(20)` may have. */
const BASE = 10_000n;
const MOST_DIGITS = 5;
const NUMERIC_HEAD = 8;

/** How many digits there are, the weight of the first, the sign and the decimals, and the digits: each 16 bits. */
const position: Write = (into, value, at) => {
  if (typeof value !== 'bigint' || value < 0n || value >= BASE ** BigInt(MOST_DIGITS)) return refuse(value, 'a position');
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest /= BASE) digits.unshift(Number(rest % BASE));
  for (const [index, word] of [digits.length, digits.length - 1, 0, 0, ...digits].entries()) into.writeInt16BE(word, at + 2 * index);
  return NUMERIC_HEAD + 2 * digits.length;
};

const WRITE: Readonly<Record<ColumnKind, Write>> = {
  text,
  json: text,
  uuid,
  integer: (into, value, at) => int32(into, whole(value), at),
  paise: (into, value, at) => int64(into, whole(value), at),
  position,
  rating: (into, value, at) => into.writeDoubleBE(typeof value === 'number' ? value : refuse(value, 'a number'), at) - at,
  boolean: (into, value, at) => into.writeUInt8(typeof value === 'boolean' ? Number(value) : refuse(value, 'true or false'), at) - at,
  instant: (into, value, at) => int64(into, since(instant(String(value))) * 1_000, at),
  day: (into, value, at) => int32(into, since(instant(`${String(value)}T00:00:00.000Z`)) / DAY, at),
};

/**
 * Writes a value of a column, which is not null, as binary COPY has those of its kind (PostgreSQL, "COPY", binary format, and the `…send`
 * functions of the types); answers with the bytes that it took. There must be room for `mostBytes`. Throws on what is none of the kind;
 * whether Postgres has such a text is left to Postgres.
 */
export const writeValue = (into: Buffer, kind: ColumnKind, value: unknown, at: number): number => WRITE[kind](into, value, at);

const MOST_OF_OTHERS = NUMERIC_HEAD + 2 * MOST_DIGITS;

/** How many bytes a value may take: no character of a JavaScript string more than three, and what is no text never more than a `numeric`. */
export const mostBytes = (value: unknown): number =>
  typeof value === 'string' ? Math.max(3 * value.length, MOST_OF_OTHERS) : MOST_OF_OTHERS;
