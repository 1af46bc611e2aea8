const LINE_END = '\r\n';

/** Spreadsheets take such a cell for a formula, also in full width. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Some spreadsheets skip these. */
const HIDDEN_START = /^[\t\r\n\0]/;
const LINE_BREAKS = /\r\n|[\r\n\u2028\u2029]/g;
const NEEDS_QUOTES = /[",;\t]|^\s|\s$/;

/** A cell of RFC 4180 that no spreadsheet runs: formulas get a `'` in front, line breaks become spaces. */
export const csvCell = (text: string): string => {
  const isRunnable = FORMULA.test(text) || HIDDEN_START.test(text);
  const shown = `${isRunnable ? "'" : ''}${text.replace(LINE_BREAKS, ' ').replaceAll('\0', '')}`;
  return isRunnable || NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
};

const csvRow = (cells: readonly string[]): string => cells.map(csvCell).join(',') + LINE_END;

/** A file for a spreadsheet. */
export const csvText = (rows: readonly (readonly string[])[]): string => rows.map(csvRow).join('');
