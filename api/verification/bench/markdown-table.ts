/** A row of the table: operation, results, and goal. */
export type Row = {
  readonly what: string;
  /** One for each column between the operation and the goal. */
  readonly cells: readonly string[];
  readonly goal: string;
  /** Whether the goal was reached; undefined without a goal. */
  readonly reached: boolean | undefined;
};

const markOf = (reached: boolean | undefined): string => {
  if (reached === undefined) return '';
  return reached ? 'yes' : '**no**';
};

const line = (cells: readonly string[], widths: readonly number[]): string =>
  `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`;

/** A Markdown table as prettier formats it: operations to the left, figures to the right. */
export const markdownTable = (headings: readonly string[], rows: readonly Row[]): string => {
  const lines = rows.map(({ what, cells, goal, reached }) => [what, ...cells, goal, markOf(reached)]);
  const widths = headings.map((heading, index) => Math.max(3, heading.length, ...lines.map((cells) => cells[index]?.length ?? 0)));
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(headings, widths), rule, ...lines.map((cells) => line(cells, widths))].join('\n');
};
