import { ArrowDown, ArrowUp, ChartColumn, ShieldCheck, Table } from 'lucide-react';
import type { ReactNode } from 'react';
import { rupees, sum as sumPaise, toPaise } from '#domain/shared/money.ts';
import { pages } from '#domain/site/pages.ts';
import { dateText, shortDayText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { LoadFailed } from '../../../ui/feedback/LoadFailed.tsx';
import { Money } from '../../../ui/Money.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { useMay } from '../use-may.ts';
import { useFilter } from '../use-panel.ts';
import { Segments } from '../Segments.tsx';
import { TableHead } from '../TableHead.tsx';
import { type Period, periods, useSalesQuery } from '../admin-api.ts';
import type { DayOfSales, Sales, Stats } from '../admin-types.ts';
import { DailyChart } from './DailyChart.tsx';

const USUAL: Period = 30;
const periodOptions = periods.map((value) => ({ value, text: `${value} days` }));
const views = [
  { value: 'chart', text: 'Chart', icon: ChartColumn },
  { value: 'table', text: 'Table', icon: Table },
] as const;
type View = (typeof views)[number]['value'];

export const SalesPanel = ({ stats }: { readonly stats: Stats | undefined }) => {
  const [days, setDays] = useFilter('days');
  const period = periods.find((each) => String(each) === days) ?? USUAL;
  const { data: sales, isError, isFetching, refetch } = useSalesQuery(period);
  return (
    <section aria-label="Sales Summary">
      <PanelHead title="Sales Summary">
        <Segments
          label="Period"
          options={periodOptions}
          chosen={period}
          onChoose={(wanted) => setDays(wanted === USUAL ? '' : String(wanted))}
        />
      </PanelHead>
      <Sums stats={stats} sales={sales} period={period} />
      {sales && sales.days.length > 0 && <Daily {...sales} />}
      {sales && <Bestsellers products={sales.bestsellers} period={period} />}
      {!sales && isError && !isFetching && (
        <LoadFailed className="mt-6" onRetry={() => void refetch()}>
          The daily sales could not be loaded. Check your connection.
        </LoadFailed>
      )}
      {!sales && !isError && <Skeleton className="mt-5 h-[34rem]" />}
      <FromTheLog />
    </section>
  );
};

const FromTheLog = () => (
  <p className="mt-4 flex flex-wrap items-center gap-x-2 text-[0.875rem] text-clove">
    <ShieldCheck className="size-4" strokeWidth={1.5} />
    All of this is worked out from the event log.
    {useMay()('audit') && (
      <TextLink to={pages.audit} size="sm">
        Check it against the log
      </TextLink>
    )}
  </p>
);

type SumsProps = { readonly stats: Stats | undefined; readonly sales: Sales | undefined; readonly period: Period };

const sumOf = (days: readonly DayOfSales[], of: 'orders' | 'sales'): number =>
  of === 'orders' ? days.reduce((sum, day) => sum + day.orders, 0) : rupees(sumPaise(days.map((day) => toPaise(day.sales))));

const money = (amount: number): ReactNode => <Money amount={moneyText(amount)} />;

const Sums = ({ stats, sales, period }: SumsProps) => {
  const [orders, ordersBefore] = [sales && sumOf(sales.days, 'orders'), sales && sumOf(sales.daysBefore, 'orders')];
  const [total, totalBefore] = [sales && sumOf(sales.days, 'sales'), sales && sumOf(sales.daysBefore, 'sales')];
  return (
    <dl className="mt-3 grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal lg:grid-cols-3">
      <Sum title="Total sales" note="ever">
        {stats && money(stats.totalSales)}
      </Sum>
      <Sum title="Last month sales" note="30 times 24 hours">
        {stats && money(stats.lastMonthSales)}
      </Sum>
      <Sum title={`Sales in ${period} days`} now={total} before={totalBefore} text={moneyText}>
        {total !== undefined && money(total)}
      </Sum>
      <Sum title="Average order" now={sales?.average} before={sales?.averageBefore} text={moneyText}>
        {sales && (sales.average === null ? <span className="text-[1rem] text-clove">None yet</span> : money(sales.average))}
      </Sum>
      <Sum title={`Orders in ${period} days`} now={orders} before={ordersBefore} text={formatNumber}>
        {orders !== undefined && <span className="display figures">{formatNumber(orders)}</span>}
      </Sum>
      <Sum title={`Came back in ${period} days`} now={sales?.cameBack} before={sales?.cameBackBefore} text={moneyText} isBad>
        {sales && money(sales.cameBack)}
      </Sum>
    </dl>
  );
};

type SumProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly note?: string;
  readonly now?: number | null | undefined;
  readonly before?: number | null | undefined;
  readonly text?: (value: number) => string;
  /** More is worse. */
  readonly isBad?: boolean;
};

/** A figure, and that of the period before with the change. */
const Sum = ({ title, children, note, now, before, text = String, isBad = false }: SumProps) => (
  <div className="grid grid-cols-[1fr_auto] items-center gap-x-4 bg-white px-4 py-3 lg:block">
    <dt className="text-[0.875rem] text-clove">{title}</dt>
    <dd className="row-span-2 min-h-7 text-[1.625rem] leading-none whitespace-nowrap lg:mt-1.5 lg:text-[1.75rem]">{children}</dd>
    <dd className="figures flex min-h-4 flex-wrap gap-x-2.5 text-xs text-clove lg:mt-2">
      {note !== undefined && <span>{note}</span>}
      {typeof before === 'number' && <span>{text(before)} before</span>}
      {typeof now === 'number' && typeof before === 'number' && before > 0 && <Change share={(now - before) / before} isBad={isBad} />}
    </dd>
  </div>
);

const Change = ({ share, isBad }: { readonly share: number; readonly isBad: boolean }) => {
  const percent = Math.round(share * 1_000) / 10;
  const Arrow = percent < 0 ? ArrowDown : ArrowUp;
  return (
    <span className={cx('inline-flex items-center gap-1 font-medium', percent < 0 === isBad ? 'text-khus-deep' : 'text-kesar')}>
      {percent !== 0 && <Arrow className="size-3" strokeWidth={2.2} />}
      <span>{`${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%`}</span>
    </span>
  );
};

type BestsellersProps = { readonly products: Sales['bestsellers']; readonly period: Period };

const Bestsellers = ({ products, period }: BestsellersProps) => {
  const highest = Math.max(...products.map(({ sales }) => sales), 1);
  return (
    <section aria-label="Best sellers" className="mt-7">
      <div className="flex min-h-9 items-center justify-between gap-4">
        <h3 className="shrink-0 text-[0.9375rem] font-medium">Best sellers</h3>
        <span className="text-right text-[0.8125rem] text-clove">by sales less tax and returns, last {period} days</span>
      </div>
      {products.length === 0 ? (
        <p className="border-t border-ink/80 py-3 text-clove">Nothing was sold in these days.</p>
      ) : (
        <ul className="mt-1 border-t border-ink/80">
          {products.map(({ _id, name, productImageUrl: [picture], bottles, bottlesBefore, sales }) => (
            <li
              key={_id}
              className="grid min-h-13 grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-sandal/70 py-1.5 text-[0.9375rem] lg:grid-cols-[2rem_15rem_minmax(0,1fr)_9rem_8rem]"
            >
              <Picture src={picture} alt="" sizes="32px" className="aspect-4/5 w-8 object-cover" />
              <span className="font-medium wrap-anywhere">{name}</span>
              <span aria-hidden="true" className="h-2 bg-travertine max-lg:hidden">
                <span className="block h-2 bg-gold" style={{ width: `${(sales / highest) * 100}%` }} />
              </span>
              <span className="figures text-[0.8125rem] text-clove max-lg:order-4 max-lg:col-start-2 max-lg:-mt-1 lg:text-right">
                {count(bottles, 'bottle')}, {formatNumber(bottlesBefore)} before
              </span>
              <span className="figures text-right">{moneyText(sales)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

type DailyProps = Pick<Sales, 'days' | 'daysBefore'>;

const Daily = ({ days, daysBefore }: DailyProps) => {
  const [wanted, setView] = useFilter('view');
  const view: View = wanted === 'table' ? 'table' : 'chart';
  const [first, last] = [days.at(0), days.at(-1)];
  return (
    <figure className="mt-5 rounded-sm border border-sandal bg-white p-4 sm:p-6">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div>
          <h3 className="text-[0.9375rem] font-medium">Daily sales</h3>
          {first && last && (
            <p className="figures text-[0.8125rem] text-clove">
              {shortDayText(first.day)} to {shortDayText(last.day)} {last.day.slice(0, 4)}, cancelled and returned orders left out of the
              sales
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-5 text-[0.8125rem] text-clove">
          <span className="inline-flex items-center gap-2">
            <span className="size-3 bg-gold" />
            <span>now</span>
          </span>
          <span className="inline-flex items-center gap-2">
            <span className="h-[2px] w-4 bg-ink" />
            <span>{days.length} days before</span>
          </span>
          <Segments label="View" options={views} chosen={view} onChoose={(next) => setView(next === 'chart' ? '' : next)} />
        </div>
      </figcaption>
      <div className="mt-3">
        {view === 'chart' ? <DailyChart days={days} before={daysBefore} /> : <DailyTable days={days} daysBefore={daysBefore} />}
      </div>
    </figure>
  );
};

const CELL = 'figures py-2.5 text-right text-[0.9375rem]';

const columns = ['Day', ...['Orders', 'Sales', 'Before'].map((title) => ({ title, className: 'pr-0! text-right!' }))];

const DailyTable = ({ days, daysBefore }: DailyProps) => (
  <table className="w-full border-t border-ink/80">
    <caption className="sr-only">Daily sales and orders, newest day first</caption>
    <TableHead columns={columns} />
    <tbody>
      {days
        .map((day, index) => ({ ...day, before: daysBefore[index]?.sales }))
        .toReversed()
        .map(({ day, orders, sales, before }) => (
          <tr key={day} className="border-b border-sandal/70">
            <th scope="row" className="figures py-2.5 text-left text-[0.9375rem] font-normal">
              {dateText(day)}
            </th>
            <td className={CELL}>{formatNumber(orders)}</td>
            <td className={CELL}>{moneyText(sales)}</td>
            <td className={cx(CELL, 'text-clove')}>{before !== undefined && moneyText(before)}</td>
          </tr>
        ))}
    </tbody>
  </table>
);
