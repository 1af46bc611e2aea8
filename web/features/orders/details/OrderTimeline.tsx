import type { OrderStatus } from '#domain/order/status.ts';
import type { OrderView } from '#domain/order/view.ts';
import { momentText } from '../../../lib/dates.ts';

export const TIMELINE = 'timeline';

const words: Readonly<Record<OrderStatus, string>> = {
  created: 'Checkout begun',
  pending: 'Order placed',
  confirmed: 'Confirmed by the house',
  shipped: 'Handed to the courier',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  returned: 'Returned',
};

/** What became of the order, from its checkout on, with the word that staff or shopper gave. 'Track your order' leads here. */
export const OrderTimeline = ({ history }: Pick<OrderView, 'history'>) => (
  <section id={TIMELINE} tabIndex={-1} aria-labelledby="timeline-title">
    <h2 id="timeline-title" className="display text-h2">
      Where it is
    </h2>
    <ol className="mt-6 ml-1.5 border-l border-sandal">
      {history.map(({ status, at, note }, index) => (
        <li
          key={`${status}-${at}`}
          aria-current={index === history.length - 1 ? 'step' : undefined}
          className="relative pb-6 pl-7 last:pb-0"
        >
          <span className="absolute top-[0.45rem] -left-[5px] size-[9px] rounded-full bg-gold" />
          <p className="font-medium">{words[status]}</p>
          <p className="figures text-[0.875rem] text-clove">
            <time dateTime={at}>{momentText(at)}</time>
          </p>
          {note !== undefined && <p className="mt-1 text-[0.9375rem] wrap-anywhere whitespace-pre-line text-clove">{note}</p>}
        </li>
      ))}
    </ol>
  </section>
);
