import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { EmptyState, RetryOrLeave } from '../../ui/feedback/EmptyState.tsx';
import type { Failure } from './order-failure.ts';

type OrderUnavailableProps = { readonly failure: Failure | null; readonly onRetry: () => void };

export const OrderUnavailable = ({ failure, onRetry }: OrderUnavailableProps) => {
  const isGone = failure === null || failure.status === 404 || failure.status === 400;
  const title = isGone ? 'No order found' : 'Your order did not come';
  usePageTitle(title);
  return (
    <EmptyState
      page
      title={title}
      action={
        <RetryOrLeave onRetry={isGone ? undefined : onRetry} to={pages.myOrders}>
          My Orders
        </RetryOrLeave>
      }
    >
      {failure && (
        <p role="alert" className="mb-3 text-base font-medium text-sindoor">
          {failure.message}
        </p>
      )}
      {isGone
        ? 'If it is yours, sign in with the account that you ordered with.'
        : 'The shop did not answer. Your order is safe; try again in a moment.'}
    </EmptyState>
  );
};
