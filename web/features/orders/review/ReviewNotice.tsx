import { Link } from 'react-router-dom';
import { pages } from '#domain/pages.ts';
import type { OrderView } from '#domain/order/view.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { FocusedMessage } from '../../../ui/FocusedMessage.tsx';
import type { Failure } from '../order-failure.ts';
import { changesIn } from './changes.ts';

const way = 'link inline-flex min-h-8 items-center font-semibold';

/** Refusals that today's prices put right. */
const isStale = ({ code }: Failure): boolean => code === 'offer_changed' || code === 'order_expired';

/** Whether the order as it stands cannot be placed: the button waits until it is refreshed. */
export const mustBeRefreshed = (failure: Failure | null): boolean => failure !== null && isStale(failure);

type FailureNoticeProps = { readonly failure: Failure; readonly onRefresh: () => void };

/** Why it was not placed: line by line where it is about perfumes, with the way on. */
export const FailureNotice = ({ failure, onRefresh }: FailureNoticeProps) => (
  <Alert kind={isStale(failure) ? 'warning' : 'error'} className="mb-10">
    <span className="block">{failure.message}</span>
    {Object.entries(failure.errors).map(([about, reason]) => (
      <span key={about} className="mt-1 block wrap-anywhere">
        {reason}
      </span>
    ))}
    <span className="mt-1 flex flex-wrap gap-x-5">
      {isStale(failure) && (
        <button type="button" className={way} onClick={onRefresh}>
          Refresh order
        </button>
      )}
      {(failure.status === 409 || failure.code === 'cart_empty') && (
        <Link to={pages.cart} className={way}>
          Back to your cart
        </Link>
      )}
    </span>
  </Alert>
);

type ChangedNoticeProps = { readonly before: OrderView; readonly now: OrderView };

/** What the refresh changed: nobody is silently charged another price. */
export const ChangedNotice = ({ before, now }: ChangedNoticeProps) => {
  const changes = changesIn(before, now);
  return (
    <FocusedMessage className="mb-10">
      {changes.length === 0 ? 'Your order is up to date, nothing has changed.' : 'Your order is up to date.'}
      {changes.map((change) => (
        <span key={change} className="mt-1 block wrap-anywhere">
          {change}
        </span>
      ))}
    </FocusedMessage>
  );
};
