import type { OrderView } from '#domain/order/view.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { changesBetween, factsOf } from '../order-fields.ts';

/** The whole order as the event left it; what it changed is marked. */
export const OrderState = ({ before, after }: { readonly before: OrderView | null; readonly after: OrderView | null }) => {
  const facts = factsOf(after);
  const changed = new Set(changesBetween(factsOf(before), facts).map(({ name }) => name));
  return (
    <section aria-labelledby="state" className="min-w-0">
      <h3 id="state" className="display text-h3">
        Order after this event
      </h3>
      {facts.length === 0 && <p className="mt-3 text-clove">It was not there yet.</p>}
      <dl className="mt-3 border-t border-sandal">
        {facts.map(({ name, text }) => (
          <div
            key={name}
            className={cx(
              'grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-x-4 border-b border-sandal/60 py-2.5 sm:grid-cols-[9.5rem_minmax(0,1fr)]',
              changed.has(name) && '-mx-3 bg-khus-wash/60 px-3',
            )}
          >
            <dt className="text-[0.875rem] wrap-anywhere text-clove">{name}</dt>
            <dd className="figures text-[0.9375rem] wrap-anywhere whitespace-pre-line">
              {name === 'Status' ? <Badge status={text} /> : text}
              {changed.has(name) && <span className="sr-only"> (changed)</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
