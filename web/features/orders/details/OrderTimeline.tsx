import type { ReactNode } from 'react';
import type { OrderStatus } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { momentText, windowText } from '../../../lib/dates.ts';
import { cx } from '../../../ui/cx.ts';
import { stepsAhead } from './order-dates.ts';

export const TIMELINE = 'timeline';

const titles: Readonly<Record<OrderStatus, string>> = {
  created: 'Checkout begun',
  pending: 'Order placed',
  confirmed: 'Confirmed by the house',
  shipped: 'Handed to the courier',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  returned: 'Returned',
};

type OrderTimelineProps = Pick<OrderView, 'history' | 'status' | 'estimatedDelivery'>;

/** The order's history with the notes of staff and shopper, and the steps ahead. 'Track your order' links to it. */
export const OrderTimeline = ({ history, status, estimatedDelivery }: OrderTimelineProps) => {
  const ahead = stepsAhead(status);
  const last = history.length - 1;
  return (
    <section id={TIMELINE} tabIndex={-1} aria-labelledby="timeline-title">
      <h2 id="timeline-title" className="display text-h2">
        Where it is
      </h2>
      <ol className="mt-6">
        {history.map((entry, index) => (
          <Step key={`${entry.status}-${entry.at}`} title={titles[entry.status]} place={index === last ? 'here' : 'passed'}>
            <p className="figures text-[0.875rem] text-clove">
              <time dateTime={entry.at}>{momentText(entry.at)}</time>
            </p>
            {entry.note !== undefined && <p className="mt-1 text-[0.9375rem] wrap-anywhere whitespace-pre-line text-clove">{entry.note}</p>}
          </Step>
        ))}
        {ahead.map((step) => (
          <Step key={step} title={titles[step]} place="ahead">
            {step === 'delivered' && estimatedDelivery && (
              <p className="figures text-[0.875rem] text-clove">Expected {windowText(estimatedDelivery)}</p>
            )}
          </Step>
        ))}
      </ol>
    </section>
  );
};

type StepProps = { readonly title: string; readonly place: 'passed' | 'here' | 'ahead'; readonly children: ReactNode };

/** Past steps have a gold line and filled marks; future steps have a thin line and empty marks. */
const marks: Readonly<Record<StepProps['place'], string>> = {
  passed: 'border-gold bg-gold',
  here: 'border-gold bg-gold outline-1 outline-offset-3 outline-gold',
  ahead: 'border-teak bg-ivory',
};

const Step = ({ title, place, children }: StepProps) => (
  <li
    aria-current={place === 'here' ? 'step' : undefined}
    className={cx(
      'relative pb-7 pl-8 before:absolute before:top-[0.8rem] before:-bottom-[0.8rem] before:left-[7px] before:w-px last:pb-0 last:before:hidden',
      place === 'passed' ? 'before:bg-gold' : 'before:bg-sandal',
    )}
  >
    <span className={cx('absolute top-[0.5rem] left-[3px] size-[9px] rounded-full border', marks[place])} />
    <p className={place === 'ahead' ? 'text-clove' : 'font-medium'}>
      {place === 'ahead' && <span className="sr-only">To come: </span>}
      {title}
    </p>
    {children}
  </li>
);
