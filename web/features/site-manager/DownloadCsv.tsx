import { Download } from 'lucide-react';
import type { MouseEvent } from 'react';
import { buttonStyle } from '../../ui/button-style.ts';
import { cx } from '../../ui/cx.ts';
import { useNotify } from './Notices.tsx';

export type CsvName = 'contact_messages' | 'invoices' | 'orders' | 'payments' | 'subscribers';

const nothing: Readonly<Record<CsvName, string>> = {
  contact_messages: 'No messages available to download',
  invoices: 'No invoices available to download',
  orders: 'No orders available to download',
  payments: 'No payments available to download',
  subscribers: 'No subscribers available to download',
};

type DownloadCsvProps = {
  readonly name: CsvName;
  readonly count: number | undefined;
  readonly filter?: Readonly<Record<string, string>>;
  readonly look?: 'button' | 'small';
};

const SMALL =
  'relative z-1 -mx-1.5 -my-1 inline-flex min-h-7 items-center gap-1.5 rounded-xs px-1.5 text-[0.8125rem] font-medium text-ink hover:bg-ink/5';

/** A plain link: the browser saves the file while the server streams it, whatever its length, and the page stays open. */
export const DownloadCsv = ({ name, count, filter, look = 'button' }: DownloadCsvProps) => {
  const notify = useNotify();
  const query = new URLSearchParams(filter);
  const refuseNothing = (event: MouseEvent) => {
    if (count !== 0) return;
    event.preventDefault();
    notify({ kind: 'failure', message: nothing[name], stays: true });
  };
  return (
    <a
      href={`/api/admin/${name}.csv${query.size > 0 ? `?${query}` : ''}`}
      download={`${name}.csv`}
      onClick={refuseNothing}
      className={cx(look === 'small' ? SMALL : buttonStyle({ kind: 'outline', className: 'max-sm:w-full' }))}
    >
      <Download className="size-4" strokeWidth={1.5} />
      Download CSV
    </a>
  );
};
