import { formatRupees, toPaise } from '#domain/shared/money.ts';

import type { Audited } from '../audit/books/books.ts';
import type { Checked, CheckLine, FiguresVerdict } from '../audit/books/check-books.ts';
import type { ModelVerdict } from '../audit/books/check-read-models.ts';
import type { Finding } from '../audit/books/rolling-hash.ts';
import { progressPrinter, countText } from './progress-lines.ts';
import { differenceText } from './projections.ts';

type Say = (line: string) => void;

const findingText = ({ stream, revision, position, what, detail }: Finding): string => {
  if (position === undefined) return `${stream} at revision ${revision}: ${what}, ${detail}`;
  return `The log at position ${position}: ${what}, ${detail}${revision < 0 ? '' : ` (${stream} at revision ${revision})`}`;
};

export const reportLog = ({ events, streams, count, findings }: Omit<Audited, 'figures' | 'dashboard'>, out: Say): void => {
  for (const finding of findings) out(findingText(finding));
  if (count > findings.length) out(`… and ${countText(count - findings.length)} more`);
  out(
    `${countText(events)} events of ${countText(streams)} streams: ${count === 0 ? 'everything is as it was written' : `${countText(count)} faults`}`,
  );
};

const rupeesText = (rupees: number): string => formatRupees(toPaise(rupees));

const FIGURES = [
  ['orders', ({ totalOrders }) => countText(totalOrders)],
  ['orders of the last week', ({ lastWeekOrders }) => countText(lastWeekOrders)],
  ['sales', ({ totalSales }) => rupeesText(totalSales)],
  ['sales of the last month', ({ lastMonthSales }) => rupeesText(lastMonthSales)],
] as const satisfies readonly (readonly [string, (figures: FiguresVerdict['inLog']) => string])[];

const reportFigures = ({ inLog, inTable, readModel }: FiguresVerdict, out: Say): void => {
  out(`${countText(inLog.totalOrders)} orders placed, sales ${rupeesText(inLog.totalSales)}`);
  if (inTable === null) return out('The dashboard has no figures yet: its read model is not built');
  if (readModel === 'matches') return out('The dashboard matches the log');
  for (const [name, textOf] of FIGURES)
    if (textOf(inLog) !== textOf(inTable)) out(`The dashboard shows ${textOf(inTable)} ${name}, the log comes to ${textOf(inLog)}`);
};

const reportModel = ({ model, verdict, position, count, differences, why }: ModelVerdict, out: Say): void => {
  if (verdict === 'unverified') return out(`${model}: could not be compared. ${why}`);
  for (const difference of differences) out(differenceText(difference));
  if (count > differences.length) out(`  … and ${countText(count - differences.length)} more`);
  out(`${model}: ${verdict === 'matches' ? 'every row matches the log' : `${countText(count)} rows differ`} at position ${position}`);
};

const isSound = ({ count, figures, readModels }: Checked): boolean =>
  count === 0 && figures.readModel === 'matches' && readModels.every(({ verdict }) => verdict === 'matches');

/** Prints progress and findings. Returns the exit code. */
export const reportCheck = async (lines: AsyncIterable<CheckLine>, { out, err }: { out: Say; err: Say }): Promise<number> => {
  const progressOf = new Map<string, (events: number) => void>();
  for await (const line of lines) {
    if ('done' in line) {
      reportLog(line, out);
      reportFigures(line.figures, out);
      for (const model of line.readModels) reportModel(model, out);
      return isSound(line) ? 0 : 1;
    }
    const { of, step, steps, events } = line;
    const progress = progressOf.get(of) ?? progressPrinter(`${step} of ${steps}, ${of}: `, err);
    progressOf.set(of, progress);
    progress(events);
  }
  return 1;
};
