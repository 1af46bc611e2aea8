import { Link } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { EmptyState, RetryOrLeave } from '../../ui/feedback/EmptyState.tsx';
import type { Failure } from './order-failure.ts';

type OrderUnavailableProps = { readonly failure: Failure | null; readonly onRetry: () => void };

export const OrderUnavailable = ({ failure, onRetry }: OrderUnavailableProps) => {
  const isGone = failure === null || failure.status === 404 || failure.status === 400;
  const isRefused = failure?.status === 403;
  const title = isGone ? 'No order found' : isRefused ? 'Not for your role' : 'Your order did not come';
  usePageTitle(title);
  return (
    <EmptyState
      page
      title={title}
      action={
        <RetryOrLeave onRetry={isGone || isRefused ? undefined : onRetry} to={pages.myOrders}>
          My Orders
        </RetryOrLeave>
      }
    >
      {failure && (
        <p role="alert" className="mb-3 text-base font-medium text-sindoor">
          {failure.message}
        </p>
      )}
      {isGone ? (
        <>
          If it is yours, sign in with the account that you ordered with, or{' '}
          <Link to={pages.findOrder} className="link font-medium text-ink">
            let us mail you its link
          </Link>
          .
        </>
      ) : isRefused ? (
        'This is another shopper’s. Ask an owner of the shop if your work needs it.'
      ) : (
        'The shop did not answer. Your order is safe. Check your connection and try again.'
      )}
    </EmptyState>
  );
};
