import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { PaymentMethod } from '#domain/order/events.ts';
import { pages } from '#domain/pages.ts';
import type { OrderView } from '#domain/order/view.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { Address } from '../Address.tsx';
import { draftEdited, selectBefore } from '../checkout/checkout-slice.ts';
import type { Failure } from '../order-failure.ts';
import { placeRequested, refreshRequested } from '../order-slice.ts';
import { PageHead } from '../PageHead.tsx';
import { Progress } from '../CheckoutSteps.tsx';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { linesOfOrder, totalsOfOrder } from '../summary/summary-lines.ts';
import { PaymentMethods } from './PaymentMethods.tsx';
import { ChangedNotice, FailureNotice, mustBeRefreshed } from './ReviewNotice.tsx';

type DraftReviewProps = { readonly order: OrderView; readonly loading: boolean; readonly failure: Failure | null };

/** An order that is not placed yet, whole, with the choice of how to pay. */
export const DraftReview = ({ order, loading, failure }: DraftReviewProps) => {
  const dispatch = useDispatch();
  const before = useSelector(selectBefore);
  const [method, setMethod] = useState<PaymentMethod>('COD');
  const edit = (): void => void dispatch(draftEdited(order));
  const isCancelled = order.status === 'cancelled';
  return (
    <div className="page-x pb-section">
      <PageHead title="Review Your Order">
        <Progress at="Review" onLeave={edit} />
      </PageHead>
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0">
          {isCancelled && <Cancelled />}
          {failure && <FailureNotice failure={failure} onRefresh={() => dispatch(refreshRequested(order))} />}
          {before && failure === null && !loading && <ChangedNotice before={before} now={order} />}
          <Destination order={order} onEdit={edit} />
          <PaymentMethods chosen={method} onChoose={setMethod} />
        </div>
        <OrderSummary lines={linesOfOrder(order)} totals={totalsOfOrder(order)}>
          <Button
            size="lg"
            disabled={loading || isCancelled || mustBeRefreshed(failure)}
            onClick={() => dispatch(placeRequested({ id: order._id, method }))}
            className="mt-7 w-full"
          >
            Place Order
          </Button>
          <p className="mt-4 text-center text-xs text-clove">Prices were fixed when you began this order.</p>
        </OrderSummary>
      </div>
    </div>
  );
};

const Cancelled = () => (
  <Alert className="mb-10" action={<TextLink to={pages.cart}>Back to your cart</TextLink>}>
    This order was cancelled and cannot be placed any more.
  </Alert>
);

type DestinationProps = { readonly order: OrderView; readonly onEdit: () => void };

const Destination = ({ order: { shippingAddress, giftWrap, giftMessage }, onEdit }: DestinationProps) => (
  <div className="grid gap-10 sm:grid-cols-2">
    <section>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="display text-h3">Shipping address</h2>
        <Link to={pages.checkout} onClick={onEdit} className="link inline-flex min-h-8 items-center text-[0.875rem] font-medium">
          Edit<span className="sr-only"> shipping address</span>
        </Link>
      </div>
      <div className="mt-3">
        <Address of={shippingAddress} />
      </div>
    </section>
    {giftMessage !== '' && (
      <section>
        <h2 className="display text-h3">Gift message</h2>
        <blockquote className="display mt-3 border-l border-gold pl-5 text-h3 leading-snug wrap-anywhere whitespace-pre-line text-clove italic">
          {giftMessage}
        </blockquote>
      </section>
    )}
    {giftWrap && giftMessage === '' && (
      <section>
        <h2 className="display text-h3">Gift wrap</h2>
        <p className="mt-3 text-clove">Wrapped in cotton paper and silk thread, without a message.</p>
      </section>
    )}
  </div>
);
