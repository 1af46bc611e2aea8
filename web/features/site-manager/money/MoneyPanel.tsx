import { Download, FileUp, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { momentText } from '../../../lib/dates.ts';
import { count, formatNumber, moneyText } from '../../../lib/format.ts';
import { createPagedList } from '../../../lib/paged-list.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Money } from '../../../ui/Money.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { cx } from '../../../ui/cx.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { type MoneyList, moneyLists, type MoneyRow, type PaymentSums } from '../admin-types.ts';
import { LINES, useHealthQuery, usePaymentsInfiniteQuery, usePaymentSumsQuery } from '../admin-api.ts';
import { ListFrame } from '../ListFrame.tsx';
import { PanelHead } from '../PanelHead.tsx';
import { GATEWAY_SILENT } from '../panels/health-warnings.ts';
import { useFilter, usePagesShown } from '../use-panel.ts';
import { type CashSlot, WithCouriers } from './WithCouriers.tsx';
import { EventsLink, OrderLink, Payments } from './Payments.tsx';
import { RemittanceImport } from './RemittanceImport.tsx';

type Words = { readonly text: string; readonly note: string; readonly empty: string; readonly help: string };

const words: Readonly<Record<MoneyList, Words>> = {
  due: {
    text: 'Due',
    note: 'Orders to be paid in advance',
    empty: 'Nothing is due',
    help: 'Prepaid orders that are not paid yet stand here.',
  },
  paid_today: {
    text: 'Paid today',
    note: 'What came in since midnight in India, cash too',
    empty: 'Nothing was paid today yet',
    help: 'Orders stand here whose money came in today.',
  },
  paid: {
    text: 'Paid',
    note: 'Orders that were paid in full',
    empty: 'Nothing is paid yet',
    help: 'Orders that were paid in full stand here.',
  },
  with_couriers: {
    text: 'With couriers',
    note: 'What left as cash on delivery and has not come back',
    empty: 'No cash with couriers',
    help: 'Orders paid on delivery that have left and whose cash has not come yet stand here.',
  },
  refunding: {
    text: 'Refunds under way',
    note: 'What has been promised and has not arrived',
    empty: 'No refunds under way',
    help: 'A refund stands here until it is paid.',
  },
  mismatch: { text: 'Mismatches', note: '', empty: 'Everything adds up', help: 'Money that does not add up stands here.' },
};

/** Sums that are the panel's lists, then what does not add up, then the list of the chosen sum. */
export const MoneyPanel = ({ CashDialog }: { readonly CashDialog: CashSlot }) => {
  const [wanted, setStatus] = useFilter('status');
  const status = moneyLists.find((each) => each === wanted) ?? 'due';
  const [isImporting, setImporting] = useState(false);
  const { data: sums } = usePaymentSumsQuery();
  const { data: health } = useHealthQuery();
  return (
    <section aria-label="Money">
      <PanelHead title="Money">
        <Button kind="outline" className="max-lg:flex-1 lg:min-h-10" onClick={() => setImporting(true)}>
          <FileUp className="size-4" strokeWidth={1.5} />
          Courier’s file
        </Button>
        <a
          href="/api/admin/payments.csv"
          download="payments.csv"
          aria-label="Download all payments as CSV"
          className={buttonStyle({ kind: 'outline', className: 'lg:min-h-10' })}
        >
          <Download className="size-4" strokeWidth={1.5} />
          CSV
        </a>
      </PanelHead>
      {health?.isGatewayAvailable === false && (
        <Alert kind="warning" className="mt-3">
          {GATEWAY_SILENT}
        </Alert>
      )}
      <SumStrip sums={sums} chosen={status} onChoose={setStatus} />
      {status === 'mismatch' ? <Mismatches /> : <FewMismatches onAll={() => setStatus('mismatch')} />}
      {status !== 'mismatch' && <ChosenList key={status} status={status} sums={sums} onChoose={setStatus} CashDialog={CashDialog} />}
      {isImporting && <RemittanceImport onClose={() => setImporting(false)} />}
    </section>
  );
};

const DAY_MS = 24 * 3_600_000;

const ageText = (since: string): string => {
  const days = Math.floor((Date.now() - Date.parse(since)) / DAY_MS);
  return days < 1 ? 'of today' : count(days, 'day');
};
const withAge = (text: string, since: string | null): string => (since === null ? text : `${text}, the oldest ${ageText(since)}`);

type Caption = {
  readonly list: MoneyList;
  readonly figure: (sums: PaymentSums) => ReactNode;
  readonly caption: (sums: PaymentSums) => string;
};

const amount = (rupees: number): ReactNode => <Money amount={moneyText(rupees)} />;

const captions: readonly Caption[] = [
  { list: 'due', figure: ({ due }) => amount(due.amount), caption: ({ due }) => withAge(count(due.count, 'order'), due.since) },
  { list: 'paid_today', figure: (sums) => amount(sums.paid_today.amount), caption: (sums) => count(sums.paid_today.count, 'order') },
  {
    list: 'with_couriers',
    figure: (sums) => amount(sums.with_couriers.amount),
    caption: ({ with_couriers: cash }) => withAge(count(cash.count, 'order'), cash.since),
  },
  {
    list: 'refunding',
    figure: ({ refunding }) => amount(refunding.amount),
    caption: ({ refunding }) => withAge(count(refunding.count, 'refund'), refunding.since),
  },
  {
    list: 'mismatch',
    figure: ({ mismatch }) => (
      <span className={cx('display figures', mismatch.count > 0 && 'text-sindoor')}>{formatNumber(mismatch.count)}</span>
    ),
    caption: ({ mismatch }) => (mismatch.count === 0 ? 'everything adds up' : `${formatNumber(mismatch.unknown)} without an order`),
  },
];

type SumStripProps = {
  readonly sums: PaymentSums | undefined;
  readonly chosen: MoneyList;
  readonly onChoose: (list: MoneyList) => void;
};

/** Pressing a sum shows what it is made of. */
const SumStrip = ({ sums, chosen, onChoose }: SumStripProps) => (
  <div role="group" aria-label="Sums" className="mt-3 grid gap-px overflow-hidden rounded-sm border border-sandal bg-sandal lg:grid-cols-5">
    {captions.map(({ list, figure, caption }) => {
      const isChosen = list === chosen || (list === 'paid_today' && chosen === 'paid');
      return (
        <div
          key={list}
          className={cx(
            'relative grid grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-3 lg:block',
            isChosen ? 'bg-white' : 'bg-ivory hover:bg-paper',
          )}
        >
          {isChosen && <span className="absolute inset-y-0 left-0 w-[3px] bg-oxblood lg:inset-x-0 lg:bottom-auto lg:h-[3px] lg:w-auto" />}
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(list)}
            className={cx('text-left text-[0.875rem] after:absolute after:inset-0', isChosen ? 'font-medium text-oxblood' : 'text-clove')}
          >
            {words[list].text}
          </button>
          <p className="row-span-2 min-h-7 text-[1.625rem] leading-none whitespace-nowrap lg:mt-1.5 lg:text-[1.875rem]">
            {sums ? <span>{figure(sums)}</span> : <span className="skeleton inline-block h-[0.8em] w-24" aria-hidden="true" />}
          </p>
          <p className="figures min-h-4 text-xs text-clove lg:mt-2">{sums && caption(sums)}</p>
        </div>
      );
    })}
  </div>
);

/** The panel tells of so many mismatches while another list is shown. */
const FEW = 3;

const FewMismatches = ({ onAll }: { readonly onAll: () => void }) => {
  const { data } = usePaymentsInfiniteQuery('mismatch');
  const { data: sums } = usePaymentSumsQuery();
  const rows = data?.pages[0]?.rows ?? [];
  if (rows.length === 0) return null;
  const more = (sums?.mismatch.count ?? 0) - Math.min(rows.length, FEW);
  return (
    <MismatchRows rows={rows.slice(0, FEW)}>
      {more > 0 && (
        <TextButton size="sm" onClick={onAll}>
          {formatNumber(more)} more
        </TextButton>
      )}
    </MismatchRows>
  );
};

const Mismatches = () => {
  const shown = usePagesShown(LINES);
  const list = createPagedList(usePaymentsInfiniteQuery('mismatch', shown.options), shown);
  return (
    <ListFrame
      list={list}
      loading="Loading payments..."
      empty={<EmptyState title={words.mismatch.empty}>{words.mismatch.help}</EmptyState>}
    >
      {(rows) => <MismatchRows rows={rows} />}
    </ListFrame>
  );
};

const MismatchRows = ({ rows, children }: { readonly rows: readonly MoneyRow[]; readonly children?: ReactNode }) => (
  <section aria-label="Does not add up" className="mt-5">
    <h3 className="flex items-center gap-2 text-[0.9375rem] font-medium text-sindoor">
      <TriangleAlert className="size-[1.125rem]" strokeWidth={1.8} />
      Does not add up
    </h3>
    <ul className="mt-2 border-t border-sindoor/50">
      {rows.map((row) => (
        <li
          key={row._id}
          data-row={row._id}
          className="flex flex-wrap items-center gap-x-5 border-b border-sandal/70 py-1.5 text-[0.9375rem] lg:flex-nowrap"
        >
          <span className="w-28 shrink-0 text-[0.875rem]">
            <OrderLink {...row} />
          </span>
          <span className="figures min-w-0 flex-1 wrap-anywhere max-lg:basis-full">{row.mismatch}</span>
          <span className="figures text-[0.8125rem] text-clove">{momentText(row.at)}</span>
          <EventsLink {...row} />
        </li>
      ))}
    </ul>
    {children}
  </section>
);

type ChosenListProps = {
  readonly status: Exclude<MoneyList, 'mismatch'>;
  readonly sums: PaymentSums | undefined;
  readonly onChoose: (list: MoneyList) => void;
  readonly CashDialog: CashSlot;
};

const ChosenList = ({ status, sums, onChoose, CashDialog }: ChosenListProps) => {
  const shown = usePagesShown(LINES);
  const list = createPagedList(usePaymentsInfiniteQuery(status, shown.options), shown);
  const { text, note, empty, help } = words[status];
  return (
    <section aria-label={text} className="mt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-5">
        <h3 className="display text-h3">{text}</h3>
        <p className="flex flex-wrap items-baseline gap-x-5 text-[0.875rem] text-clove">
          {note}
          {status === 'paid_today' && (
            <TextButton size="sm" onClick={() => onChoose('paid')}>
              All that are paid
            </TextButton>
          )}
          {status === 'paid' && (
            <TextButton size="sm" onClick={() => onChoose('paid_today')}>
              Only today
            </TextButton>
          )}
        </p>
      </div>
      <ListFrame list={list} loading="Loading payments..." empty={<EmptyState title={empty}>{help}</EmptyState>}>
        {(rows) =>
          status === 'with_couriers' ? (
            <WithCouriers rows={rows} couriers={sums?.with_couriers.couriers ?? []} CashDialog={CashDialog} />
          ) : (
            <Payments rows={rows} />
          )
        }
      </ListFrame>
    </section>
  );
};
