import { CsvError, parse } from 'csv-parse/sync';

import { exactPrice, type Paise } from '#domain/shared/money.ts';
import { dateInIndia, type CalendarDate, type Instant } from '#domain/shared/time.ts';

import { adminOnly } from '../../accounts/sessions/session.ts';
import type { ShopMiddleware } from '../../http/context.ts';
import { HttpError, invalid } from '../../http/http-error.ts';
import { readBody } from '../../http/json-body.ts';

/** A line of a courier's remittance. */
export type Remitted = {
  /** The header is line 1. */
  readonly line: number;
  readonly orderNumber: string;
  readonly amount: Paise;
  readonly collectedOn: CalendarDate;
  readonly reference: string;
};

const COLUMNS = ['order_number', 'amount', 'collected_on', 'reference'] as const;
type Column = (typeof COLUMNS)[number];
const HEADER = COLUMNS.join(',');

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_LINES = 10_000;
const LONGEST = 100;
/** Of wrong cells in an answer. */
const MOST_PROBLEMS = 20;

/** Like the router, this ignores case and a slash at the end. */
const REMITTANCES = /^\/api\/admin\/remittances\/?$/i;
const CSV_TYPE = /^text\/csv *(?:; *(?:charset="?utf-8"?|header="?present"?) *)*$/i;

const wrongType = (): HttpError =>
  new HttpError({
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send CSV, as text/csv in UTF-8',
    headers: { Connection: 'close' },
  });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Takes the file of `POST /admin/remittances` as text, before the middlewares that take JSON. Admins only: it is larger than other bodies. */
export const remittanceBody: ShopMiddleware = (ctx, next) => {
  if (ctx.method !== 'POST' || !REMITTANCES.test(ctx.path)) return next();
  return adminOnly(ctx, async () => {
    const { headers } = ctx.req;
    if (!CSV_TYPE.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) throw wrongType();
    const bytes = await readBody(ctx.req, MOST_BYTES);
    try {
      ctx.state.body = utf8.decode(bytes);
    } catch {
      throw invalid('The file is not in UTF-8');
    }
    return next();
  });
};

type Record = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

const recordsIn = (text: string): readonly Record[] => {
  try {
    const options = { info: true, relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] };
    // With `info` each record comes with where it ends, which the type does not say.
    return parse(text, { bom: true, ...options }) as unknown as readonly Record[];
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`Line ${String(error['lines'])}: the quotes do not match`);
    throw error;
  }
};

const amountIn = (text: string): Paise | undefined => (/^\d+(?:\.\d{1,2})?$/.test(text) ? exactPrice(text) || undefined : undefined);

const isDay = (text: string): text is CalendarDate => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

// oxlint-disable-next-line no-control-regex -- they are what is refused
const UNREADABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

const textProblem = (text: string): string | undefined => {
  if (text.trim() === '') return 'Required';
  if (text.length > LONGEST) return `Please use at most ${LONGEST} characters`;
  return UNREADABLE.test(text) ? 'Please use letters, digits and signs only' : undefined;
};

const dayProblem = (text: string, today: CalendarDate): string | undefined => {
  if (!isDay(text)) return 'A day such as 2026-11-14';
  return text > today ? 'This day has not come yet' : undefined;
};

/**
 * Reads the file, UTF-8 with or without byte order mark. Throws a 400 that names line and column of wrong cells: then nothing of it counts.
 */
export const remittanceIn = (text: string, now: Instant): readonly Remitted[] => {
  const [header, ...records] = recordsIn(text);
  if (!header) throw invalid(`The file is empty: its first line is ${HEADER}`);
  if (header.record.join(',') !== HEADER) throw invalid(`Line 1 must be ${HEADER}`);
  if (records.length > MOST_LINES) throw invalid(`A file may have ${MOST_LINES} lines below its header`);

  const today = dateInIndia(now);
  const problems: { [place: string]: string } = {};
  const rows = records.flatMap(({ record, info: { lines: line } }): readonly Remitted[] => {
    const found: [column: Column | 'columns', problem: string | undefined][] = [];
    const [orderNumber = '', written = '', collectedOn = '', reference = ''] = record;
    const amount = amountIn(written);
    if (record.length !== COLUMNS.length) found.push(['columns', `Must be ${COLUMNS.length}, not ${record.length}`]);
    else
      found.push(
        ['order_number', textProblem(orderNumber)],
        ['amount', amount === undefined ? 'Plain digits and a point, above 0, with at most two decimals' : undefined],
        ['collected_on', dayProblem(collectedOn, today)],
        ['reference', textProblem(reference)],
      );
    for (const [column, problem] of found)
      if (problem !== undefined && Object.keys(problems).length < MOST_PROBLEMS) problems[`line ${line}, ${column}`] = problem;
    return amount !== undefined && isDay(collectedOn) ? [{ line, orderNumber, amount, collectedOn, reference }] : [];
  });
  const [first] = Object.entries(problems);
  if (first) throw invalid(`Nothing was booked. ${first[0].replace('line', 'Line')}: ${first[1]}`, problems);
  return rows;
};
