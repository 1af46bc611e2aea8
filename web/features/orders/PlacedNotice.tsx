import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { OrderView } from '#domain/order/view.ts';
import { Toast } from '../../ui/overlay/Toast.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { numberOf } from './order-number.ts';
import { detailsPath, reviewPath } from './order-paths.ts';
import { placedSeen } from './order-slice.ts';

/** Says on any other page that the order was placed: its shopper left while it was. */
export const PlacedNotice = ({ order }: { readonly order: OrderView }) => {
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const isSeen = pathname === detailsPath(order._id);
  const close = (): void => void dispatch(placedSeen());
  useEffect(() => {
    if (isSeen) dispatch(placedSeen());
  }, [dispatch, isSeen]);
  // The review leads on to the order by itself.
  if (isSeen || pathname === reviewPath(order._id)) return null;
  return (
    <Toast
      kind="success"
      stays
      message="Your order is placed"
      detail={`Order ${numberOf(order)}`}
      action={
        <TextLink to={detailsPath(order._id)} className="mt-2">
          See your order
        </TextLink>
      }
      onClose={close}
    />
  );
};
