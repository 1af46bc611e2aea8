import { ChartColumn, ShieldCheck, Table } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { pages } from '#domain/site/pages.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { formatNumber, moneyText } from '../../../lib/format.ts';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Money } from '../../../ui/Money.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { type Period, periods, useSalesQuery } from '../admin-api.ts';
import type { DayOfSales, Stats } from '../admin-types.ts';
import { findBest, DailyChart } from './DailyChart.tsx';

const periodOptions = periods.map((value) => ({ value, text: `${value} days` }));
const views = [
  { value: 'chart', text: 'Chart', icon: ChartColumn },
  { value: 'table', text: 'Table', icon: Table },
] as const;
type View = (typeof views)[number]['value'];

export const SalesPanel = ({ stats }: { readonly stats: Stats | undefined }) => {
  const [period, setPeriod] = useState<Period>(30);
  const { data: days, isError, isFetching, refetch } = useSalesQuery(period);
  return (
    <section aria-label="Sales Summary">
      <PanelHead title="Sales Summary">
        <Segments label="Period" options={periodOptions} chosen={period} onChoose={setPeriod} />
      </PanelHead>
      <Sums stats={stats} days={days} period={period} />
      {days && days.length > 0 && <Daily days={days} />}
      {!days && isError && !isFetching && (
        <LoadFailed className="mt-6" onRetry={() => void refetch()}>
          The daily sales could not be loaded. Check your connection.
        </LoadFailed>
      )}
      {!days && !isError && <Skeleton className="mt-8 h-[34rem]" />}
      <FromTheLog />
    </section>
  );
};

const FromTheLog = () => (
  <p className="mt-4 flex flex-wrap items-center gap-x-2 text-[0.875rem] text-clove">
    <ShieldCheck className="size-4" strokeWidth={1.5} />
    All of this is worked out from the event log.
    <TextLink to={pages.audit} size="sm">
      Check it against the log
    </TextLink>
  </p>
);

type SumsProps = { readonly stats: Stats | undefined; readonly days: readonly DayOfSales[] | undefined; readonly period: Period };

const Sums = ({ stats, days, period }: SumsProps) => {
  const top = days?.[findBest(days)];
  // Without sales there is no best day.
  const best = top && top.sales > 0 ? top : undefined;
  const orders = days?.reduce((sum, day) => sum + day.orders, 0);
  return (
    <dl className="mt-6 grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal sm:grid-cols-2 lg:grid-cols-4">
      <Sum title="Total sales">{stats && <Money amount={moneyText(stats.totalSales)} />}</Sum>
      <Sum title="Last month sales">{stats && <Money amount={moneyText(stats.lastMonthSales)} />}</Sum>
      <Sum title={`Orders in ${period} days`}>
        {orders !== undefined && <span className="display figures">{formatNumber(orders)}</span>}
      </Sum>
      <Sum title={best ? `Best day, ${shortDayText(best.day)}` : 'Best day'}>
        {best ? <Money amount={moneyText(best.sales)} /> : days && <span className="text-[1rem] text-clove">None yet</span>}
      </Sum>
    </dl>
  );
};

const Sum = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="bg-white p-5 sm:p-6">
    <dt className="text-[0.9375rem] text-clove">{title}</dt>
    <dd className="mt-2 min-h-8 text-[2rem] leading-none">{children}</dd>
  </div>
);

const Daily = ({ days }: { readonly days: readonly DayOfSales[] }) => {
  const [view, setView] = useState<View>('chart');
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <figure className="mt-8 rounded-sm border border-sandal bg-white p-5 sm:p-8">
      <figcaption className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h3 className="display text-h3">Daily sales</h3>
          {first && last && (
            <p className="figures mt-0.5 text-[0.875rem] text-clove">
              {shortDayText(first.day)} to {shortDayText(last.day)} {last.day.slice(0, 4)}, cancelled and returned orders left out of the
              sales
            </p>
          )}
        </div>
        <Segments label="View" options={views} chosen={view} onChoose={setView} />
      </figcaption>
      <div className="mt-6">{view === 'chart' ? <DailyChart days={days} /> : <DailyTable days={days} />}</div>
    </figure>
  );
};

const CELL = 'figures py-2.5 text-right text-[0.9375rem]';

const columns = ['Day', ...['Orders', 'Sales'].map((title) => ({ title, className: 'pr-0! text-right!' }))];

const DailyTable = ({ days }: { readonly days: readonly DayOfSales[] }) => (
  <table className="w-full border-t border-ink/80">
    <TableHead columns={columns} />
    <tbody>
      {days.toReversed().map(({ day, orders, sales }) => (
        <tr key={day} className="border-b border-sandal/70">
          <th scope="row" className="py-2.5 text-left text-[0.9375rem] font-normal">
            {shortDayText(day)} <span className="text-clove">{day.slice(0, 4)}</span>
          </th>
          <td className={CELL}>{formatNumber(orders)}</td>
          <td className={CELL}>{moneyText(sales)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
