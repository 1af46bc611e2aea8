import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { BusyOverlay } from '../../../ui/overlay/BusyOverlay.tsx';
import { useDelayedLoading } from '../../../ui/feedback/use-delayed-loading.ts';
import { OrderUnavailable } from '../OrderUnavailable.tsx';
import { detailsPath } from '../order-paths.ts';
import { callRepeated, draftLeft, findFailure, isPending, selectOrder } from '../order-slice.ts';
import { useOrder } from '../use-order.ts';
import { DraftReview } from './DraftReview.tsx';

/** `/review-order/:id`, the last step before placing. A placed order is redirected to its page. */
export const ReviewOrderPage = () => {
  usePageTitle('Review Your Order');
  const { order, failure, isComing, retry } = useOrder();
  const state = useSelector(selectOrder);
  const dispatch = useDispatch();
  useEffect(() => () => void dispatch(draftLeft()), [dispatch]);
  // Commands show their label at once; loading is shown only after a delay.
  const word = isPending(state, 'place') ? 'Placing your order' : isPending(state, 'refresh') ? 'Refreshing your order' : undefined;
  const loadingShown = useDelayedLoading(isPending(state, 'fetch') && word === undefined);

  const ofPlacing = state.placing?._id === order?._id ? findFailure(state, 'place') : null;
  if (order !== null && order.placedAt !== null) return <Navigate to={detailsPath(order._id)} replace />;
  return (
    <>
      {order !== null && (
        <DraftReview order={order} loading={state.loading} failure={ofPlacing ?? findFailure(state, 'refresh') ?? failure} />
      )}
      {order === null && !isComing && <OrderUnavailable failure={failure} onRetry={retry} />}
      {(word !== undefined || loadingShown) && (
        <BusyOverlay blocks={word !== undefined} onRetry={word === undefined ? undefined : () => dispatch(callRepeated())}>
          {word ?? 'Loading your order'}
        </BusyOverlay>
      )}
    </>
  );
};
