import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import type { ShopContext } from './context.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** First visible characters by which a spreadsheet takes a cell for a formula; also in full width. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** With one of these in front some spreadsheets look at what follows it. */
const HIDDEN_START = /^[\t\r\n\0]/;
const LINE_BREAKS = /\r\n|[\r\n\u2028\u2029]/g;
const NEEDS_QUOTES = /[",;\t]|^\s|\s$/;

/**
 * A cell of RFC 4180 that no spreadsheet runs: what begins like a formula gets a `'` in front, line breaks become spaces
 * (specification, section 9).
 */
export const csvCell = (text: string): string => {
  const isRunnable = FORMULA.test(text) || HIDDEN_START.test(text);
  const shown = `${isRunnable ? "'" : ''}${text.replace(LINE_BREAKS, ' ').replaceAll('\0', '')}`;
  return isRunnable || NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
};

const csvRow = (cells: readonly string[]): string => cells.map(csvCell).join(',') + LINE_END;

/** Rows that are written without a break; between them whatever else the server has to do gets its turn. */
const WITHOUT_BREAK = 100;

/** The table as text in pieces: UTF-8 with a byte order mark, so that spreadsheets read it as such. */
export async function* csvOf(columns: readonly string[], pages: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(columns);
  for await (const rows of pages)
    for (let from = 0; from < rows.length; from += WITHOUT_BREAK) {
      yield rows
        .slice(from, from + WITHOUT_BREAK)
        .map(csvRow)
        .join('');
      await turn();
    }
}

/** Answers with a file `<name>.csv`, written while it is read: of any length, in the memory of a page. */
export const sendCsv = (ctx: ShopContext, name: string, pieces: AsyncIterable<string>): void => {
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  ctx.body = Readable.from(pieces, { objectMode: false });
};
