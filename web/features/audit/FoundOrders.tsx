import { Link } from 'react-router-dom';
import { moneyText } from '../../lib/money.ts';
import { count } from '../../lib/numbers.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Asking } from './FetchStatus.tsx';
import type { FoundOrders as Found } from './audit-api.ts';
import { orderPath } from './audit-paths.ts';
import { useAnswer } from './use-fetch.ts';
import { shortMomentText } from './audit-labels.ts';

/** The orders in whose number, name or e-mail address this is found. */
export const FoundOrders = ({ q }: { readonly q: string }) => {
  const { answer, again } = useAnswer<Found>(`/audit/orders?${new URLSearchParams({ q }).toString()}`);
  return (
    <Asking answer={answer} again={again} saying="Looking for orders...">
      {(found) => (found.orders.length === 0 ? <Nothing q={q} /> : <OrderList {...found} />)}
    </Asking>
  );
};

const Nothing = ({ q }: { readonly q: string }) => (
  <EmptyState title="No such order">
    Nothing was placed under “<span className="wrap-anywhere">{q}</span>”. A checkout that was never placed is found by its id alone.
  </EmptyState>
);

const OrderList = ({ orders, hasMore }: Found) => (
  <section aria-labelledby="found">
    <h2 id="found" className="display text-h3">
      {hasMore ? `The newest ${orders.length} of more: say more of the order` : `${count(orders.length, 'order')} found`}
    </h2>
    <ul className="mt-4 border-t border-ink/80">
      {orders.map(({ _id, orderNumber, status, placedAt, total, email }) => (
        <li
          key={_id}
          className="relative grid gap-x-6 gap-y-1 border-b border-sandal py-4 hover:bg-white md:grid-cols-[12rem_9rem_1fr_10rem_8rem] md:items-center"
        >
          <Link to={orderPath(orderNumber ?? _id)} className="figures font-semibold after:absolute after:inset-0">
            {orderNumber ?? _id.slice(0, 8)}
          </Link>
          <span>
            <Badge status={status} />
          </span>
          <span className="wrap-anywhere text-clove">{email}</span>
          <span className="figures text-sm text-clove">{placedAt === null ? 'not placed' : shortMomentText(placedAt)}</span>
          <span className="figures md:text-right">{moneyText(total)}</span>
        </li>
      ))}
    </ul>
  </section>
);
