import { useState, type ReactNode } from 'react';
import type { Totals } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { Picture } from '../../../ui/Picture.tsx';
import { TextButton } from '../../../ui/TextLink.tsx';
import { lineTotalText, type SummaryLine } from './summary-lines.ts';
import { rowsBefore, TotalsList } from './TotalsList.tsx';

const OPEN_LINES = 4;

type OrderSummaryProps = {
  readonly lines: readonly SummaryLine[];
  readonly totals: Totals;
  /** The children are the page's main button and the content around it. */
  readonly children: ReactNode;
};

export const OrderSummary = ({ lines, totals, children }: OrderSummaryProps) => (
  <aside aria-labelledby="order-summary" className="self-start bg-paper p-6 sm:p-8 lg:sticky lg:top-28">
    <h2 id="order-summary" className="display mb-5 text-h3">
      Order Summary
    </h2>
    <Lines lines={lines} />
    <div className="mt-6">
      <TotalsList rows={rowsBefore(totals)} total={totals.total} />
    </div>
    {children}
  </aside>
);

const Lines = ({ lines }: { readonly lines: readonly SummaryLine[] }) => {
  const [open, setOpen] = useState(false);
  const shown = open ? lines : lines.slice(0, OPEN_LINES);
  return (
    <>
      <ul className="divide-y divide-sandal border-y border-sandal">
        {shown.map((line) => (
          <Line key={line.productId} line={line} />
        ))}
      </ul>
      {lines.length > OPEN_LINES && (
        <TextButton aria-expanded={open} onClick={() => setOpen(!open)} className="mt-1">
          {open ? 'Show fewer' : `Show all ${lines.length} perfumes`}
        </TextButton>
      )}
    </>
  );
};

const Line = ({ line }: { readonly line: SummaryLine }) => (
  <li className="flex items-center gap-4 py-4 max-[24rem]:flex-wrap">
    <Picture src={line.picture} alt="" sizes="3.5rem" className="aspect-4/5 w-14 shrink-0 object-cover" />
    <div className="min-w-0 flex-1">
      <p className="display text-[1.0625rem] leading-snug wrap-anywhere">{line.name}</p>
      {line.unavailable ? (
        <p className="text-[0.8125rem] font-medium text-sindoor">No longer available</p>
      ) : (
        <p className="figures text-[0.8125rem] text-clove">
          {line.quantity} × {formatRupees(line.unitPrice)}
        </p>
      )}
    </div>
    {!line.unavailable && <p className="figures text-[0.9375rem] max-[24rem]:basis-full max-[24rem]:text-right">{lineTotalText(line)}</p>}
  </li>
);
