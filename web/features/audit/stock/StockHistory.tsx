import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { MomentPicker } from '../MomentPicker.tsx';
import { QueryStatus } from '../QueryStatus.tsx';
import { useStockQuery } from '../audit-api.ts';
import { exactMomentText, labelFor } from '../audit-labels.ts';
import { orderPath, stockPath } from '../audit-paths.ts';
import type { StockThen } from '../audit-types.ts';
import { clockInIndia } from '../india-time.ts';

type StockHistoryProps = {
  readonly id: string;
  /** A revision or a moment; null means now. */
  readonly at: string | null;
};

/** A perfume's stock after any of its events, and the events that each amount comes from. */
export const StockHistory = ({ id, at }: StockHistoryProps) => (
  <section aria-labelledby="bottles">
    <QueryStatus query={useStockQuery({ id, at })} saying="Counting the bottles...">
      {(then) => (
        <>
          <h2 id="bottles" className="display text-h3">
            The bottles of {then.name || id}
          </h2>
          <Then then={then} />
        </>
      )}
    </QueryStatus>
  </section>
);

const words = { onHand: 'On hand', reserved: 'Reserved', available: 'Available' } as const;

const Then = ({ then: { stream, revision, count, recordedAt, stock, amounts } }: { readonly then: StockThen }) => {
  const [, setParams] = useSearchParams();
  const goTo = (at: string): string => {
    setParams({ stream, at }, { replace: true, state: { stay: true } });
    return '';
  };
  const shown = revision ?? -1;
  return (
    <div className="mt-4 rounded-sm border border-sandal bg-white p-5 sm:p-7">
      <div className="flex items-center justify-between gap-4">
        <Status className="text-[0.9375rem]">
          {revision === null ? (
            'At that time they were not counted yet'
          ) : (
            <>
              <span className="text-clove">As they were after</span>{' '}
              <span className="font-medium">
                event {formatNumber(revision + 1)} of {formatNumber(count)}
              </span>
              <span className="figures text-clove">, {exactMomentText(recordedAt)}</span>
            </>
          )}
        </Status>
        <div className="flex gap-1">
          <IconButton icon={ChevronLeft} label="Earlier event" disabled={shown <= 0} onClick={() => goTo(String(shown - 1))} />
          <IconButton icon={ChevronRight} label="Later event" disabled={shown === count - 1} onClick={() => goTo(String(shown + 1))} />
        </div>
      </div>
      {revision !== null && stock === null && <p className="mt-4 font-medium">The perfume was not counted then.</p>}
      {stock !== null && (
        <div className="mt-4 border-t border-sandal">
          {amounts.map((amount) => (
            <Amount key={amount.name} {...amount} />
          ))}
        </div>
      )}
      <div className="mt-6">
        <MomentPicker
          label="As they stood on (time in India)"
          clock={recordedAt === null ? '' : clockInIndia(recordedAt)}
          onPick={(moment) => goTo(moment)}
        />
      </div>
    </div>
  );
};

const Amount = ({ name, amount, formula, parts }: StockThen['amounts'][number]) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="border-b border-sandal" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-4 py-3">
        <span className="w-24 font-medium">{words[name]}</span>
        <span className="figures w-16 text-right font-semibold">{formatNumber(amount)}</span>
        <span className="text-[0.875rem] text-clove">{formula}</span>
      </summary>
      {isOpen && (
        <ul className="pb-3 text-[0.9375rem]">
          {parts.length === 0 && <li className="text-clove">No bottle.</li>}
          {parts.map(({ label, amount: bottles, order, event }) => (
            <li key={event.revision} className="flex flex-wrap items-baseline gap-x-4 py-1.5">
              <span className="w-24 wrap-anywhere">{label}</span>
              <span className="figures w-16 text-right">{`${bottles > 0 ? '+' : ''}${formatNumber(bottles)}`.replace('-', '\u2212')}</span>
              <Link to={stockPath(event.stream, event.revision)} className="link text-[0.8125rem]">
                Event {formatNumber(event.revision + 1)}: {labelFor(event.type).text}
              </Link>
              {order !== undefined && (
                <Link to={orderPath(order)} className="link text-[0.8125rem]">
                  The order
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
};
