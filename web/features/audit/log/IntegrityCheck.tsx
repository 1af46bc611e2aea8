import { nanoid } from '@reduxjs/toolkit';
import { Link } from 'react-router-dom';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { count, moneyText } from '../../../lib/format.ts';
import { useLazyCheckQuery } from '../audit-api.ts';
import { ProgressLine } from '../ProgressLine.tsx';
import type { CheckResult, SalesFigures, ModelVerdict } from '../audit-types.ts';
import { logPath, orderPath } from '../audit-paths.ts';

export const IntegrityCheck = () => {
  const [begin, { data, reset }] = useLazyCheckQuery();
  return (
    <div className="flex flex-col gap-5 border-y border-ink/80 py-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h2 className="font-medium">The books as a whole</h2>
          <p className="max-w-[42rem] text-[0.875rem] text-clove">
            Every hash chain, every order’s history and the dashboard’s figures, recomputed from the first event; and every table that the
            shop shows its orders from, built anew and compared row by row.
          </p>
        </div>
        {data?.state === 'running' ? (
          <div className="flex flex-wrap items-center gap-3">
            <span className="text-[0.875rem] text-clove">{data.doing}</span>
            <ProgressLine label="Checking the books" progress={data.progress} />
            <Button kind="quiet" onClick={reset}>
              Stop
            </Button>
          </div>
        ) : (
          <Button kind="outline" onClick={() => void begin(nanoid())}>
            {data?.state === 'done' ? 'Check again' : 'Check the books'}
          </Button>
        )}
      </div>
      {data?.state === 'failed' && <Alert>{data.message}</Alert>}
      {data?.state === 'done' && <IntegrityResult result={data.result} />}
    </div>
  );
};

const IntegrityResult = ({ result }: { readonly result: CheckResult }) => (
  <div className="grid gap-4">
    <OfLog {...result} />
    <OfFigures {...result.figures} />
    <OfReadModels models={result.readModels} />
  </div>
);

type Finding = CheckResult['findings'][number];

const wayTo = ({ stream, revision, position }: Finding): string => {
  if (position !== undefined) return logPath({ from: String(BigInt(position) - 1n) });
  return stream.startsWith('order-') ? orderPath(stream.slice('order-'.length), revision) : logPath({ stream });
};

const OfLog = ({ events, streams, count: faults, findings }: CheckResult) => (
  <>
    <Alert kind={faults === 0 ? 'success' : 'error'}>
      {count(events, 'event')} of {count(streams, 'stream')}: {faults === 0 ? 'everything is as it was written' : count(faults, 'fault')}
    </Alert>
    {findings.length > 0 && (
      <ul className="border-t border-sandal text-[0.9375rem]">
        {findings.map((finding) => (
          <li
            key={`${finding.stream} ${finding.revision} ${finding.position ?? ''} ${finding.what}`}
            className="border-b border-sandal/60 py-2 wrap-anywhere"
          >
            <Link to={wayTo(finding)} className="link font-mono text-xs">
              {finding.position === undefined ? finding.stream : 'The log'}
            </Link>{' '}
            at {finding.position === undefined ? `revision ${finding.revision}` : `position ${finding.position}`}: {finding.detail}
          </li>
        ))}
      </ul>
    )}
    {faults > findings.length && <p className="text-[0.875rem] text-clove">And {count(faults - findings.length, 'more fault')}.</p>}
  </>
);

const rows = [
  { name: 'Orders', of: (figures: SalesFigures) => String(figures.totalOrders) },
  { name: 'Orders of the last week', of: (figures: SalesFigures) => String(figures.lastWeekOrders) },
  { name: 'Sales', of: (figures: SalesFigures) => moneyText(figures.totalSales) },
  { name: 'Sales of the last month', of: (figures: SalesFigures) => moneyText(figures.lastMonthSales) },
] as const;

const captions = {
  matches: 'The dashboard matches the log',
  differs: 'The dashboard shows what the log does not bear out',
  unverified: 'The dashboard has no figures yet: they are still being worked out',
} as const;

const OfFigures = ({ inLog, inTable, readModel }: CheckResult['figures']) => (
  <table className="w-full border-t border-sandal text-[0.9375rem] sm:max-w-2xl">
    <caption className="py-2 text-left text-[0.875rem] text-clove">{captions[readModel]}</caption>
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
          <ShownFigure inLog={of(inLog)} shown={inTable && of(inTable)} />
        </tr>
      ))}
    </tbody>
  </table>
);

const ShownFigure = ({ inLog, shown }: { readonly inLog: string; readonly shown: string | null }) => (
  <td className={shown === inLog ? 'figures py-2 text-right' : 'figures py-2 text-right font-medium text-sindoor'}>{shown ?? 'none'}</td>
);

const purposes: Readonly<Record<string, string>> = {
  catalogue: 'The catalogue',
  'my-orders': 'The shoppers\u2019 orders',
  'orders-desk': 'The orders of Site Manager',
  stats: 'The dashboard',
};

const OfReadModels = ({ models }: { readonly models: readonly ModelVerdict[] }) => (
  <section aria-labelledby="read-models">
    <h3 id="read-models" className="text-[0.875rem] text-clove">
      What the shop shows, against what the log makes of it, row by row
    </h3>
    <ul className="mt-2 border-t border-sandal text-[0.9375rem] sm:max-w-2xl">
      {models.map((model) => (
        <li key={model.model} className="border-b border-sandal/60 py-2">
          <OfReadModel {...model} />
        </li>
      ))}
    </ul>
  </section>
);

const verdictText = ({ verdict, count: differing, why }: ModelVerdict): string => {
  if (verdict === 'matches') return 'every row matches';
  return verdict === 'differs' ? `${count(differing, 'row differs', 'rows differ')}` : `not compared. ${why}`;
};

const OfReadModel = (model: ModelVerdict) => (
  <>
    {purposes[model.model] ?? model.model}:{' '}
    <span className={model.verdict === 'matches' ? 'text-khus-deep' : 'font-medium text-sindoor'}>{verdictText(model)}</span>
    {model.differences.length > 0 && (
      <ul className="mt-1 text-[0.875rem] wrap-anywhere text-clove">
        {model.differences.map(({ table, key, what }) => (
          <li key={`${table} ${key}`}>
            <span className="font-mono text-xs">
              {table} {key}
            </span>{' '}
            {whatText(what)}
          </li>
        ))}
      </ul>
    )}
  </>
);

const whatText = (what: ModelVerdict['differences'][number]['what']): string => {
  if (what === 'missing') return 'is missing';
  return what === 'extra' ? 'is not in the log' : `differs in ${what.join(', ')}`;
};
