import { useEffect } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { getMessage } from '../../../lib/http/api.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState, RetryOrLeave } from '../../../ui/feedback/EmptyState.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { BusyOverlay } from '../../../ui/overlay/BusyOverlay.tsx';
import { useOpenOrderMutation } from '../order-api.ts';
import { detailsPath, invoicePath } from '../order-paths.ts';

/**
 * `/order/:token`, the link in the mails of an order. It opens the order in this session and goes to its page, or to its invoice with
 * `?show=invoice`. That page replaces this one, so that the token stays neither in the address bar nor in the history.
 */
export const OpenOrderPage = () => {
  const { token = '' } = useParams();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [open, { data: id, error }] = useOpenOrderMutation();
  useEffect(() => void open(token), [open, token]);

  const toPath = params.get('show') === 'invoice' ? invoicePath : detailsPath;
  const path = id === undefined ? undefined : toPath(id);
  useEffect(() => {
    if (path !== undefined) void navigate(path, { replace: true });
  }, [navigate, path]);

  usePageTitle(error ? 'No order found' : 'Open Your Order');
  const loadingShown = useDelayedLoading(!error);
  if (error === undefined) return loadingShown ? <BusyOverlay>Loading your order</BusyOverlay> : null;
  const isGone = 'status' in error && error.status === 404;
  return (
    <EmptyState
      page
      role="alert"
      title={isGone ? 'This link opens no order' : 'Your order did not come'}
      action={
        isGone ? (
          <ButtonLink to={pages.findOrder} size="lg">
            Find your order
          </ButtonLink>
        ) : (
          <RetryOrLeave onRetry={() => void open(token)} to={pages.findOrder}>
            Find your order
          </RetryOrLeave>
        )
      }
    >
      {isGone ? 'Links are good for 180 days, and end when the address of the order changes. We mail you a new one.' : getMessage(error)}
    </EmptyState>
  );
};
