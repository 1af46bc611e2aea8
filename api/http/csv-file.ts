import { CsvError, parse } from 'csv-parse/sync';

import type { ShopMiddleware } from './context.ts';
import { HttpError, invalid } from './http-error.ts';
import { readBody } from './json-body.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_LINES = 10_000;
/** A response names at most this many wrong cells; of more only the first of each line. */
const MOST_CELLS = 2_000;

const CSV_TYPE = /^text\/csv *(?:; *(?:charset="?utf-8"?|header="?present"?) *)*$/i;

const wrongType = (): HttpError =>
  new HttpError({ status: 415, code: 'unsupported_media_type', message: 'Send CSV, as text/csv in UTF-8' });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the body of each POST to these paths as text, before the middlewares that parse JSON. */
export const csvBody =
  (paths: RegExp): ShopMiddleware =>
  async (ctx, next) => {
    if (ctx.method !== 'POST' || !paths.test(ctx.path)) return next();
    const { headers } = ctx.req;
    if (!CSV_TYPE.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) throw wrongType();
    const bytes = await readBody(ctx, MOST_BYTES);
    try {
      ctx.state.body = utf8.decode(bytes);
    } catch {
      throw invalid('The file is not in UTF-8');
    }
    return next();
  };

type Record = { readonly cells: readonly string[]; readonly line: number };

/** Programs put blanks around cells and break long ones into lines. */
const cleanCell = (text: string): string => text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, ' ').trim();

const parseRecords = (text: string): readonly Record[] => {
  try {
    const options = { info: true, relax_column_count: true, trim: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] };
    // With `info` each record has the place where it ends, which the library's type lacks.
    type Parsed = { readonly record: readonly string[]; readonly info: { readonly lines: number } };
    const parsed = parse(text, { bom: true, ...options }) as unknown as readonly Parsed[];
    return parsed.map(({ record, info }) => ({
      cells: record.map(cleanCell),
      // The library counts both characters of a line break within quotes.
      line: info.lines - record.join('').replaceAll(/[^\r\n]/g, '').length,
    }));
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`Line ${String(error['lines'])}: the quotes do not match`);
    throw error;
  }
};

export type CellProblem<Column extends string> = readonly [column: Column, problem: string | undefined];
type LineProblems = { readonly line: number; readonly problems: readonly CellProblem<string>[] };

/** Throws a 400 that names every wrong line with its wrong cells, if there are any. The message tells of the first. */
export const refuseWrongCells = (lines: readonly LineProblems[]): void => {
  const wrong = lines.map(({ line, problems }) =>
    problems.flatMap(([column, problem]) => (problem === undefined ? [] : [[`line ${line}, ${column}`, problem] as const])),
  );
  const named = wrong.flat().length > MOST_CELLS ? wrong.flatMap((cells) => cells.slice(0, 1)) : wrong.flat();
  const [first] = named;
  if (first) throw invalid(`Nothing was booked. ${first[0].replace('line', 'Line')}: ${first[1]}`, Object.fromEntries(named));
};

type ReadLine<Column extends string, Row> = (
  cells: readonly string[],
  line: number,
) => { readonly row: Row | undefined; readonly problems: readonly CellProblem<Column>[] };

/** A line below the header, which is line 1. `row` is `undefined` when a cell that it needs is wrong. */
export type CsvLine<Row> = LineProblems & { readonly row: Row | undefined };

/**
 * Reads a file in UTF-8, with or without byte order mark, whose first line names these columns; any other file throws a 400. Blanks around
 * a cell are removed, and a line break in it is a blank. The columns `more` may follow, all of them.
 */
export const csvLines = <Column extends string, Row>(
  text: string,
  columns: readonly Column[],
  readLine: ReadLine<Column, Row>,
  more: readonly string[] = [],
): readonly CsvLine<Row>[] => {
  const expected = columns.join(',');
  const [header, ...records] = parseRecords(text);
  if (!header) throw invalid(`The file is empty: its first line is ${expected}`);
  const named = header.cells.join(',');
  if (named !== expected && named !== [...columns, ...more].join(',')) throw invalid(`Line 1 must be ${expected}`);
  if (records.length > MOST_LINES) throw invalid(`A file may have ${MOST_LINES} lines below its header`);
  return records.map(({ cells, line }) =>
    cells.length === header.cells.length
      ? { line, ...readLine(cells, line) }
      : { line, row: undefined, problems: [['columns', `Must be ${header.cells.length}, not ${cells.length}`]] },
  );
};

export const listRows = <Row>(lines: readonly CsvLine<Row>[]): readonly Row[] =>
  lines.flatMap(({ row }) => (row === undefined ? [] : [row]));
