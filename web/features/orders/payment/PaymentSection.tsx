import { Check, Clock } from 'lucide-react';
import { useDispatch, useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import type { PaymentView } from '#domain/payment/view.ts';
import { moneyText } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { checkRequested, findFailure, isPending, selectOrder } from '../order-slice.ts';
import { PayOrder } from './PayOrder.tsx';
import { paymentText, refundText } from './payment-sentences.ts';

const UNCONFIRMED = 'Your payment is not yet confirmed by the bank. If you have paid, ask again in a moment; if not, you can pay now.';

/** Offers to pay a due order, and shows the gateway's answer about it. Staff may read another shopper's order, and are offered nothing. */
export const PayDue = ({ order }: { readonly order: OrderView }) => {
  const dispatch = useDispatch();
  const state = useSelector(selectOrder);
  const failure = findFailure(state, 'check');
  if (failure?.status === 403) return null;
  const isAsking = isPending(state, 'check');
  const checked = state.checked?._id === order._id ? state.checked : null;
  const why = isAsking ? undefined : checked?.why;
  const isUnconfirmed = checked !== null && checked.why === undefined;
  const ask = (): void => void dispatch(checkRequested(order._id));
  return (
    <div className="space-y-4">
      <Status className="max-w-[38rem] empty:hidden">
        {isAsking ? 'Asking the bank whether your payment has arrived...' : isUnconfirmed ? UNCONFIRMED : ''}
      </Status>
      {why !== undefined && <Alert kind="warning">Your payment did not go through: {why}</Alert>}
      {failure && <Alert>{failure.message}</Alert>}
      <div className="flex flex-wrap items-start gap-4">
        <PayOrder order={order} size="lg" waits={isAsking} />
        {(isAsking || checked !== null || failure !== null) && (
          <Button kind="outline" size="lg" busy={isAsking ? 'Asking...' : undefined} onClick={ask}>
            Ask the bank again
          </Button>
        )}
      </div>
      {isAsking && <SlowAnswer onRetry={ask} />}
    </div>
  );
};

/** Shows what was paid, is due and was refunded. Of cash on delivery the method says all there is. */
export const PaymentSection = ({ order }: { readonly order: OrderView }) => {
  const { status, refunds } = order.payment;
  if (status === 'on_delivery') return null;
  const isDue = status === 'due';
  const Icon = isDue ? Clock : Check;
  return (
    <section aria-labelledby="payment-title">
      <h3 id="payment-title" className="sr-only">
        Payment
      </h3>
      <p className={cx('figures mt-3 flex items-start gap-2 text-[0.875rem]', isDue ? 'font-medium text-kesar' : 'text-clove')}>
        <Icon className="mt-0.5 size-4" strokeWidth={1.8} />
        <span>{paymentText(order)}</span>
      </p>
      {refunds.length > 0 && <Refunds payment={order.payment} />}
    </section>
  );
};

const Refunds = ({ payment }: { readonly payment: PaymentView }) => (
  <>
    <h4 className="mt-5 text-[0.875rem] font-medium">Refunds</h4>
    <ul className="mt-1 divide-y divide-sandal">
      {payment.refunds.map((refund) => (
        <li key={refund._id} className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-3 text-[0.9375rem]">
          <span className="figures font-medium">{moneyText(refund.amount)}</span>
          <span className="min-w-40 flex-1 wrap-anywhere">{refund.reason}</span>
          <span className="figures text-[0.875rem] text-clove">{refundText(refund, payment)}</span>
        </li>
      ))}
    </ul>
  </>
);
