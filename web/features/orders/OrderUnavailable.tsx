import { pages } from '#domain/site/pages.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Niche } from '../../ui/Niche.tsx';
import type { Failure } from './order-failure.ts';

type OrderUnavailableProps = { readonly failure: Failure | null; readonly onRetry: () => void };

/** 'No order found', or the error in red, with a retry where that may help. */
export const OrderUnavailable = ({ failure, onRetry }: OrderUnavailableProps) => {
  const isGone = failure === null || failure.status === 404 || failure.status === 400;
  const title = isGone ? 'No order found' : 'Your order did not come';
  usePageTitle(title);
  return (
    <div className="page-x flex flex-col items-center py-section text-center">
      <Niche className="h-40 text-gold" />
      <h1 className="display mt-8 text-h1">{title}</h1>
      {failure && (
        <p role="alert" className="mt-4 font-medium text-sindoor">
          {failure.message}
        </p>
      )}
      <p className="mt-3 max-w-md text-lead text-clove">
        {isGone
          ? 'If it is yours, sign in with the account that you ordered with.'
          : 'The shop did not answer. Your order is safe; try again in a moment.'}
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {!isGone && (
          <Button size="lg" onClick={onRetry}>
            Try again
          </Button>
        )}
        <ButtonLink to={pages.myOrders} size="lg" kind={isGone ? 'primary' : 'outline'}>
          My Orders
        </ButtonLink>
      </div>
    </div>
  );
};
