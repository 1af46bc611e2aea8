import { useState } from 'react';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { BookProgress, BookResult } from '../audit-api.ts';
import { askForLines, linesIn } from '../ndjson.ts';
import { ProgressLine } from '../ProgressLine.tsx';
import { useWork } from '../use-work.ts';
import { count, money } from '../words.ts';

const check = async (signal: AbortSignal, tell: (progress: number) => void): Promise<BookResult> => {
  const { pieces } = await askForLines('/audit/verify', signal);
  for await (const text of linesIn(pieces)) {
    // Written by our own server, whose lines these are.
    const line = JSON.parse(text) as BookProgress | BookResult;
    if ('done' in line) return line;
    tell(Number(line.position) / Math.max(1, Number(line.end)));
  }
  throw new Error('The check broke off');
};

/** Every chain, every order's history and the dashboard's figures, recomputed from the first event on. */
export const BookCheck = () => {
  const [result, setResult] = useState<BookResult | null>(null);
  const { progress, trouble, begin, stop } = useWork(
    'The books could not be checked. Somebody else may be checking them: try again in a moment.',
  );
  return (
    <div className="flex flex-col gap-5 border-y border-ink/80 py-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="font-medium">The books as a whole</h2>
          <p className="text-[0.875rem] text-clove">
            Every hash chain, every order’s history and the dashboard’s figures, recomputed from the first event.
          </p>
        </div>
        {progress === null ? (
          <Button kind="outline" onClick={() => begin(async (signal, tell) => setResult(await check(signal, tell)))}>
            {result === null ? 'Check the books' : 'Check again'}
          </Button>
        ) : (
          <div className="flex items-center gap-3">
            <ProgressLine label="Checking the books" progress={progress} />
            <Button kind="quiet" onClick={stop}>
              Stop
            </Button>
          </div>
        )}
      </div>
      {trouble !== '' && <Alert>{trouble}</Alert>}
      {result !== null && progress === null && <Found result={result} />}
    </div>
  );
};

const Found = ({ result: { events, streams, count: faults, findings, figures } }: { readonly result: BookResult }) => (
  <div className="grid gap-4">
    <Alert kind={faults === 0 ? 'success' : 'error'}>
      {count(events, 'event')} of {count(streams, 'stream')}: {faults === 0 ? 'everything is as it was written' : count(faults, 'fault')}
    </Alert>
    {findings.length > 0 && (
      <ul className="border-t border-sandal text-[0.9375rem]">
        {findings.map(({ stream, revision, what, detail }) => (
          <li key={`${stream} ${revision} ${what}`} className="border-b border-sandal/60 py-2 wrap-anywhere">
            <span className="font-mono text-xs">{stream}</span> at revision {revision}: {detail}
          </li>
        ))}
      </ul>
    )}
    <FiguresTable {...figures} />
  </div>
);

const rows = [
  { name: 'Orders', of: (figures: Figures) => String(figures.totalOrders) },
  { name: 'Orders of the last week', of: (figures: Figures) => String(figures.lastWeekOrders) },
  { name: 'Sales', of: (figures: Figures) => money(figures.totalSales) },
  { name: 'Sales of the last month', of: (figures: Figures) => money(figures.lastMonthSales) },
] as const;
type Figures = BookResult['figures']['inLog'];

const FiguresTable = ({ inLog, inTable, readModel }: BookResult['figures']) => (
  <table className="w-full border-t border-sandal text-[0.9375rem] sm:max-w-2xl">
    <caption className="py-2 text-left text-[0.875rem] text-clove">
      {readModel === 'matches' ? 'The dashboard shows what the log comes to' : 'The dashboard shows what the log does not bear out'}
    </caption>
    <thead>
      <tr className="border-b border-sandal text-[0.8125rem] text-clove">
        <th scope="col" className="py-2 text-left font-medium">
          Figure
        </th>
        <th scope="col" className="py-2 text-right font-medium">
          In the log
        </th>
        <th scope="col" className="py-2 text-right font-medium">
          Dashboard
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, of }) => (
        <tr key={name} className="border-b border-sandal/60">
          <th scope="row" className="py-2 text-left font-normal text-clove">
            {name}
          </th>
          <td className="figures py-2 text-right">{of(inLog)}</td>
          <td className={of(inLog) === of(inTable) ? 'figures py-2 text-right' : 'figures py-2 text-right font-medium text-sindoor'}>
            {of(inTable)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
