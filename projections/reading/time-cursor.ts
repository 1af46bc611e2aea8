import { instant, type Instant } from '#domain/shared/time.ts';

/** A place in a list that is sorted by time; the id tells rows of one time apart. */
export type TimeCursor = { readonly at: Instant; readonly id: string };

export const formatTimeCursor = ({ at, id }: TimeCursor): string => Buffer.from(`${Date.parse(at)} ${id}`).toString('base64url');

const CURSOR = /^(\d{1,15}) (\S{1,120})$/;
/** The end of the year 9999: later times are no instants. */
const LAST_MS = 253_402_300_799_999;

/** Returns `undefined` if the cursor is invalid; the caller checks the id. */
export const parseTimeCursor = (cursor: string): TimeCursor | undefined => {
  const [, milliseconds, id = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const ms = Number(milliseconds);
  return ms <= LAST_MS ? { at: instant(new Date(ms).toISOString()), id } : undefined;
};
