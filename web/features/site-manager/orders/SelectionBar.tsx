import { Download, Printer, X } from 'lucide-react';
import { api } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { MOST_AT_ONCE } from '../../../lib/paged-list.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { cx } from '../../../ui/cx.ts';
import type { AdminOrder } from '../admin-types.ts';
import { MOST_SELECTED } from '../admin-api.ts';
import { useMay } from '../use-may.ts';
import { type Deed, deedWords, sharedDeeds } from './next-deed.ts';

type SelectionBarProps = {
  readonly orders: readonly AdminOrder[];
  /** Selects all that match, where the list has more than is selected. */
  readonly onAll: (() => void) | undefined;
  readonly isBusy: boolean;
  /** So many orders have come for the file; undefined while none is made. */
  readonly fetched: number | undefined;
  readonly onDeed: (deed: Deed) => void;
  readonly onCsv: () => void;
  readonly onClear: () => void;
};

const BUTTON =
  'inline-flex min-h-11 items-center gap-2 rounded-xs px-3 text-[0.875rem] font-medium whitespace-nowrap text-ivory hover:bg-ivory/10 lg:min-h-9';

const idsOf = (orders: readonly Pick<AdminOrder, '_id'>[]): string => orders.map(({ _id }) => _id).join(',');

/** The address of the slips and labels of at most `MOST_AT_ONCE` orders. */
export const papersOf = (orders: readonly Pick<AdminOrder, '_id'>[]): string => `/api/admin/slips-and-labels.pdf?ids=${idsOf(orders)}`;

/** Saves these orders as one file, which as many calls bring as are needed. `onProgress` is told how many have come. */
export const saveOrdersCsv = async (orders: readonly AdminOrder[], onProgress: (fetched: number) => void): Promise<void> => {
  const parts: string[] = [];
  for (let from = 0; from < orders.length; from += MOST_AT_ONCE) {
    onProgress(from);
    const params = { ids: idsOf(orders.slice(from, from + MOST_AT_ONCE)) };
    const { data } = await api.get<string>('/admin/orders.csv', { params, responseType: 'text' });
    // The byte order mark and the titles stand once.
    parts.push(from === 0 ? `\uFEFF${data.replace(/^\uFEFF/, '')}` : data.slice(data.indexOf('\n') + 1));
  }
  saveFile('orders.csv', 'text/csv;charset=utf-8', parts);
};

export const TOO_MANY_PAPERS = `Slips and labels: at most ${MOST_AT_ONCE} orders at once.`;

/** What can be done with all selected orders; the strong action is the last that all of them can take. */
export const SelectionBar = ({ orders, onAll, isBusy, fetched, onDeed, onCsv, onClear }: SelectionBarProps) => {
  const mayMove = useMay()('customers');
  const shared = mayMove ? sharedDeeds(orders) : [];
  return (
    <div
      role="region"
      aria-label="Selection"
      className="on-dark sticky bottom-3 z-20 mt-5 flex flex-wrap items-center gap-x-1 rounded-sm bg-umber py-2 pr-2 pl-4 text-ivory shadow-modal"
    >
      <p role="status" className="figures text-[0.9375rem] font-medium whitespace-nowrap">
        {formatNumber(orders.length)} selected{fetched === undefined ? '' : `, ${formatNumber(fetched)} in the file`}
      </p>
      {onAll && (
        <button
          type="button"
          disabled={isBusy}
          onClick={onAll}
          className="ml-2 inline-flex min-h-11 items-center px-2 text-[0.875rem] whitespace-nowrap text-mist underline decoration-gold-pale/60 underline-offset-4 hover:text-ivory lg:min-h-9"
        >
          Select all in this list
        </button>
      )}
      {orders.length >= MOST_SELECTED && <span className="ml-2 text-[0.875rem] text-mist">More cannot be selected at once.</span>}
      {orders.length > MOST_AT_ONCE && <span className="ml-2 text-[0.875rem] text-mist">{TOO_MANY_PAPERS}</span>}
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {mayMove && orders.length <= MOST_AT_ONCE && (
          <a href={papersOf(orders)} target="_blank" aria-label="Slips and labels of the selection, opens in a new tab" className={BUTTON}>
            <Printer className="size-4" strokeWidth={1.5} />
            <span>Slips and labels</span>
          </a>
        )}
        <button type="button" aria-label="CSV of the selection" disabled={isBusy} onClick={onCsv} className={BUTTON}>
          <Download className="size-4" strokeWidth={1.5} />
          <span>CSV</span>
        </button>
        {shared.map((deed, index) => (
          <button
            key={deed}
            type="button"
            onClick={() => onDeed(deed)}
            className={index === shared.length - 1 ? buttonStyle({ kind: 'light', className: 'px-4.5! lg:min-h-9!' }) : BUTTON}
          >
            <span>
              {deedWords[deed].action} {count(orders.length, 'order')}
            </span>
          </button>
        ))}
        <button
          type="button"
          aria-label="Clear the selection"
          onClick={onClear}
          className={cx(
            'inline-flex size-11 items-center justify-center rounded-full text-mist hover:bg-ivory/10 hover:text-ivory lg:size-9',
          )}
        >
          <X className="size-5" strokeWidth={1.5} />
        </button>
      </div>
    </div>
  );
};
