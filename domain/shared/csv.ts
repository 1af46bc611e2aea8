const LINE_END = '\r\n';

/** Spreadsheets take such a cell for a formula, even with full-width signs, unless it is a negative number. */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
/** Some spreadsheets skip these characters before a formula. */
const HIDDEN_START = /^[\t\r\n\0]/;
const LINE_BREAKS = /\r\n|[\r\n\u2028\u2029]/g;
const NEEDS_QUOTES = /[",;\t]|^\s|\s$/;

/** Formats a cell by RFC 4180 that no spreadsheet executes: formulas get a leading `'`, and line breaks become spaces. */
export const csvCell = (text: string): string => {
  const isRunnable = FORMULA.test(text) || HIDDEN_START.test(text);
  const shown = `${isRunnable ? "'" : ''}${text.replace(LINE_BREAKS, ' ').replaceAll('\0', '')}`;
  return isRunnable || NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
};

const csvRow = (cells: readonly string[]): string => cells.map(csvCell).join(',') + LINE_END;

export const csvText = (rows: readonly (readonly string[])[]): string => rows.map(csvRow).join('');
