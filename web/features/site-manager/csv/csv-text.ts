/** A spreadsheet runs a cell that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A file for a spreadsheet; formulas are defused. */
export const csvText = (lines: readonly (readonly string[])[]): string => lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
