import { useDispatch, useSelector } from 'react-redux';
import type { OrderView } from '#domain/order/view.ts';
import type { RefundView } from '#domain/payment/view.ts';
import { moneyText } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { useFocusWhenGone } from '../../../ui/use-focus-when-gone.ts';
import { checkRequested, findFailure, isPending, selectOrder } from '../order-slice.ts';
import { PayOrder } from './PayOrder.tsx';
import { paymentText, refundText } from './payment-sentences.ts';

const UNCONFIRMED = 'Your payment is not yet confirmed by the bank. If you have paid, ask again in a moment; if not, you can pay now.';

/** Shows what was paid, is due and was refunded, and the gateway's answer while the order is due. */
export const PaymentSection = ({ order }: { readonly order: OrderView }) => {
  const state = useSelector(selectOrder);
  const { status, refunds } = order.payment;
  const isDue = status === 'due';
  const section = useFocusWhenGone<HTMLElement>(!isDue);
  // Staff may read another shopper's order.
  const isReader = findFailure(state, 'check')?.status === 403;
  const isAsking = isDue && isPending(state, 'check');
  const checked = isDue && state.checked?._id === order._id ? state.checked : null;
  const text = isAsking
    ? 'Asking the bank whether your payment has arrived...'
    : checked !== null && checked.why === undefined
      ? UNCONFIRMED
      : paymentText(order);
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="payment-title" className="border border-sandal p-6 sm:p-8">
      <h2 id="payment-title" className="text-[0.875rem] text-clove">
        Payment
      </h2>
      <Status className="figures mt-1 text-lead">{text}</Status>
      {isDue && !isReader && <Due order={order} isAsking={isAsking} checked={checked} />}
      {refunds.length > 0 && <Refunds refunds={refunds} />}
    </section>
  );
};

type DueProps = { readonly order: OrderView; readonly isAsking: boolean; readonly checked: { readonly why: string | undefined } | null };

const Due = ({ order, isAsking, checked }: DueProps) => {
  const dispatch = useDispatch();
  const failure = findFailure(useSelector(selectOrder), 'check');
  const ask = (): void => void dispatch(checkRequested(order._id));
  const why = isAsking ? undefined : checked?.why;
  return (
    <div className="mt-5 space-y-4">
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

const Refunds = ({ refunds }: { readonly refunds: readonly RefundView[] }) => (
  <>
    <h3 className="mt-6 text-[0.875rem] font-medium">Refunds</h3>
    <ul className="mt-2 divide-y divide-sandal">
      {refunds.map((refund) => (
        <li key={refund._id} className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-3 text-[0.9375rem]">
          <span className="figures font-medium">{moneyText(refund.amount)}</span>
          <span className="min-w-0 flex-1 wrap-anywhere">{refund.reason}</span>
          <span className="figures text-[0.875rem] text-clove">{refundText(refund)}</span>
        </li>
      ))}
    </ul>
  </>
);
