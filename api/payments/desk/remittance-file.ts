import { exactPrice, type Paise } from '#domain/shared/money.ts';
import { dateInIndia, parseDate, type CalendarDate, type Instant } from '#domain/shared/time.ts';

import { csvLines, listRows, refuseWrongCells } from '../../http/csv-file.ts';

export type Remitted = {
  /** The header is line 1. */
  readonly line: number;
  readonly orderNumber: string;
  readonly amount: Paise;
  readonly collectedOn: CalendarDate;
  readonly reference: string;
};

const COLUMNS = ['order_number', 'amount', 'collected_on', 'reference'] as const;
/** A text may have this many characters. */
const LONGEST = 100;

const parseAmount = (text: string): Paise | undefined => (/^\d+(?:\.\d{1,2})?$/.test(text) ? exactPrice(text) || undefined : undefined);

// oxlint-disable-next-line no-control-regex -- control characters are what this pattern refuses
const UNREADABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

const textProblem = (text: string): string | undefined => {
  if (text.trim() === '') return 'Required';
  if (text.length > LONGEST) return `Please use at most ${LONGEST} characters`;
  return UNREADABLE.test(text) ? 'Please use letters, digits and signs only' : undefined;
};

const dayProblem = (text: string, today: CalendarDate): string | undefined => {
  if (parseDate(text) === undefined) return 'A day such as 2026-11-14';
  return text > today ? 'This day has not come yet' : undefined;
};

/** Parses a remittance file. Throws a 400 that names every wrong line; then nothing of the file is booked. */
export const parseRemittance = (text: string, now: Instant): readonly Remitted[] => {
  const today = dateInIndia(now);
  const lines = csvLines(text, COLUMNS, ([orderNumber = '', written = '', collectedOn = '', reference = ''], line) => {
    const [amount, day] = [parseAmount(written), parseDate(collectedOn)];
    return {
      row: amount !== undefined && day !== undefined ? { line, orderNumber, amount, collectedOn: day, reference } : undefined,
      problems: [
        ['order_number', textProblem(orderNumber)],
        ['amount', amount === undefined ? 'Plain digits and a point, above 0, with at most two decimals' : undefined],
        ['collected_on', dayProblem(collectedOn, today)],
        ['reference', textProblem(reference)],
      ],
    };
  });
  refuseWrongCells(lines);
  return listRows(lines);
};
