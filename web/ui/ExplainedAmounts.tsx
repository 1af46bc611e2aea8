import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import type { Explained, AmountName, Explanation, AmountPart, Source } from '#domain/order/explain.ts';
import { getMessage } from '../lib/http/api.ts';
import { moneyText } from '../lib/format.ts';
import { cx } from './cx.ts';
import { LoadFailed } from './feedback/LoadFailed.tsx';
import { Skeleton } from './feedback/Skeleton.tsx';
import { Status } from './feedback/Status.tsx';
import { useDelayedLoading } from './feedback/use-delayed-loading.ts';

const summary = 'flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] [&::-webkit-details-marker]:hidden';

type ExplainAmountsProps = {
  /** Screen readers hear this order number where several orders are shown. */
  readonly of?: string | undefined;
  /** The children are rendered, and their data fetched, when the section is opened. */
  readonly children: ReactNode;
  readonly className?: string;
};

export const ExplainAmounts = ({ of, children, className }: ExplainAmountsProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={cx('group/all', className)} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={cx(summary, 'font-medium')}>
        <span className="link">How the amounts{of !== undefined && <span className="sr-only"> of {of}</span>} come about</span>
        <ChevronDown className="size-4 group-open/all:rotate-180" strokeWidth={1.5} />
      </summary>
      {isOpen && children}
    </details>
  );
};

type InEvents = {
  /** Describes an event in the reader's words. By default that is its type, revision and stream. */
  readonly wordsOf?: ((event: Source) => string) | undefined;
  readonly linkTo?: ((event: Source) => LinkProps) | undefined;
};

const EventLine = ({ event, wordsOf, linkTo }: InEvents & { readonly event: Source }) => {
  const text = wordsOf ? wordsOf(event) : `${event.type}, revision ${event.revision}`;
  return (
    <p className="mt-0.5 text-[0.8125rem] text-gold-deep">
      {linkTo ? (
        <Link {...linkTo(event)} className="link">
          {text}
        </Link>
      ) : (
        text
      )}
      {!wordsOf && <span className="block font-mono text-xs wrap-anywhere text-clove">{event.stream}</span>}
    </p>
  );
};

type ExplainedAmountsProps = InEvents & {
  readonly query: {
    readonly data?: Explanation | undefined;
    readonly error?: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
};

/** Amounts that each open to show the formula, and the parts with the event that each comes from. */
export const ExplainedAmounts = ({ query: { data, error, isFetching, refetch }, ...events }: ExplainedAmountsProps) => {
  const isLoading = data === undefined && isFetching;
  const drawn = useDelayedLoading(isLoading);
  if (error !== undefined && !isFetching)
    return (
      <LoadFailed className="mt-2 mb-3" onRetry={() => void refetch()}>
        {getMessage(error)}
      </LoadFailed>
    );
  if (data !== undefined && !drawn)
    return (
      <ul className="mt-1 border-b border-sandal">
        {data.amounts.map((amount) => (
          <li key={amount.name} className="border-t border-sandal">
            <Amount {...amount} {...events} />
          </li>
        ))}
      </ul>
    );
  return (
    <div aria-busy="true" className="mt-1 min-h-[16.9rem]">
      <Status className="sr-only">Loading how the amounts come about...</Status>
      {drawn && <Skeleton className="h-[16.9rem]" />}
    </div>
  );
};

const names: Readonly<Record<AmountName, string>> = {
  subtotal: 'Subtotal',
  tax: 'Tax',
  giftWrap: 'Gift wrap',
  total: 'Total',
  paid: 'Paid',
  refunded: 'Refunded',
};

const UNBROKEN_TIMES = '\u00a0×\u00a0';

/** Returns `−₹50.00` for a deduction. */
export const signedText = (rupees: number): string => (rupees < 0 ? `−${moneyText(-rupees)}` : moneyText(rupees));

const Amount = ({ name, amount, formula, parts, ...events }: Explained & InEvents) => (
  <details className="group/amount">
    <summary className={summary}>
      <ChevronDown className="size-4 text-gold-deep group-open/amount:rotate-180" strokeWidth={1.5} />
      <span className="flex-1 group-open/amount:font-medium">{names[name]}</span>
      <span className="figures group-open/amount:font-medium">{moneyText(amount)}</span>
    </summary>
    <div className="mt-1 mb-4 ml-[0.4375rem] border-l border-gold pl-5 text-[0.875rem]">
      <p className="text-clove">{formula}</p>
      {partsByEvent(parts).map(([first, ...more]) => (
        <div key={`${first.event.stream} ${first.event.revision}`} className="mt-3">
          <ul>
            {[first, ...more].map((part) => (
              <li key={part.label} className="figures flex items-baseline justify-between gap-4 py-0.5">
                <span className="min-w-0 wrap-anywhere">{part.label.replace(' × ', UNBROKEN_TIMES)}</span>
                <span>{signedText(part.amount)}</span>
              </li>
            ))}
          </ul>
          <EventLine event={first.event} {...events} />
        </div>
      ))}
    </div>
  </details>
);

/** Parts of one event are grouped, so that the event is named once. */
const partsByEvent = (parts: readonly AmountPart[]): readonly (readonly [AmountPart, ...AmountPart[]])[] => {
  const groups: [AmountPart, ...AmountPart[]][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && last[0].event.stream === part.event.stream && last[0].event.revision === part.event.revision) last.push(part);
    else groups.push([part]);
  }
  return groups;
};
