import { Navigate } from 'react-router-dom';
import { useDelayedLoading } from '../../../ui/use-delayed-loading.ts';
import { BusyOverlay } from '../../../ui/overlay/BusyOverlay.tsx';
import { OrderUnavailable } from '../OrderUnavailable.tsx';
import { reviewPath } from '../order-paths.ts';
import { usePaymentCheck } from '../payment/use-payment-check.ts';
import { useOrder } from '../use-order.ts';
import { type NewsletterSlot, PlacedOrder } from './PlacedOrder.tsx';

type OrderDetailsPageProps = {
  readonly Newsletter?: NewsletterSlot;
  /** With the server's message; undefined when the visitor is not, or may not be, a guest. */
  readonly onErased?: ((message: string) => void) | undefined;
};

/** `/order-confirmed/:id`: the confirmation, and later the order's state. A draft is redirected to its review. */
export const OrderDetailsPage = ({ Newsletter, onErased }: OrderDetailsPageProps) => {
  const { order, failure, isComing, retry } = useOrder();
  usePaymentCheck(order);
  const loadingShown = useDelayedLoading(isComing);
  if (order !== null && order.placedAt === null) return <Navigate to={reviewPath(order._id)} replace />;
  return (
    <>
      {order !== null && <PlacedOrder order={order} Newsletter={Newsletter} onErased={onErased} />}
      {order === null && !isComing && <OrderUnavailable failure={failure} onRetry={retry} />}
      {loadingShown && <BusyOverlay>Loading your order</BusyOverlay>}
    </>
  );
};
