import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { pages } from '#domain/site/pages.ts';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { detailsPath, formatOrderNumber, reviewPath } from './order-paths.ts';
import { findFailure, placingSeen, selectOrder } from './order-slice.ts';

/** Shows the outcome of placing an order on every page that the shopper went to meanwhile. */
export const PlacingNotice = () => {
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const state = useSelector(selectOrder);
  const { placing } = state;
  const failure = findFailure(state, 'place');
  const isSeen = placing !== null && failure === null && pathname === detailsPath(placing._id);
  useEffect(() => {
    if (isSeen) dispatch(placingSeen());
  }, [dispatch, isSeen]);
  // The review page shows the failure itself, or redirects to the order.
  if (placing === null || isSeen || pathname === reviewPath(placing._id)) return null;
  const close = (): void => void dispatch(placingSeen());
  if (failure === null)
    return (
      <Toast
        kind="success"
        stays
        message="Your order is placed"
        detail={`Order ${formatOrderNumber(placing)}`}
        action={
          <TextLink to={detailsPath(placing._id)} className="mt-2">
            See your order
          </TextLink>
        }
        onClose={close}
      />
    );
  // The checkout page shows the failure too.
  if (pathname === pages.checkout) return null;
  return (
    <Toast
      kind="failure"
      stays
      message="Your order could not be placed"
      detail={failure.message}
      action={
        <TextLink to={reviewPath(placing._id)} className="mt-2">
          Back to your order
        </TextLink>
      }
      onClose={close}
    />
  );
};
