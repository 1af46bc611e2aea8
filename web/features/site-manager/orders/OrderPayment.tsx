import type { PaymentView } from '#domain/payment/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { methodText, paymentStatusText } from '../../../lib/payment-text.ts';
import { TextButton } from '../../../ui/TextLink.tsx';
import type { AdminOrder } from '../admin-types.ts';
import { useMay } from '../use-may.ts';
import { cashToSend } from './PaymentDialogs.tsx';

const canRefund = ({ status, refundable }: PaymentView): boolean =>
  ['paid', 'collected', 'partly_refunded', 'refunding'].includes(status) && refundable > 0;

/** Returns whether the courier has yet to bring the cash, which does not depend on what came back. */
const canCollect = ({ status, payment }: AdminOrder): boolean =>
  (status === 'delivered' || status === 'returned') && payment.status === 'on_delivery';

/** Returns the status and the known facts: how and when the order was paid, and what was refunded. */
const describePayment = ({ status, method, paidAt, refunded }: PaymentView): readonly string[] => [
  paymentStatusText[status],
  ...(method !== undefined && method !== 'cash' ? [methodText(method)] : []),
  ...(paidAt === undefined ? [] : [dayText(paidAt)]),
  ...(refunded > 0 ? [`${moneyText(refunded)} refunded`] : []),
];

type OrderPaymentProps = {
  readonly order: AdminOrder;
  readonly onRefund: () => void;
  readonly onCashRefund: () => void;
  readonly onCash: () => void;
};

export const OrderPayment = ({ order, onRefund, onCashRefund, onCash }: OrderPaymentProps) => {
  const mayPay = useMay()('money');
  return (
    <div className="border-t border-sandal/70 px-5 py-4 text-[0.875rem]">
      <p className="figures">
        <span className="font-medium">Payment:</span> {describePayment(order.payment).join(' · ')}
      </p>
      {order.mismatch !== undefined && <p className="mt-1 font-medium wrap-anywhere text-sindoor">{order.mismatch}</p>}
      <div className="flex flex-wrap gap-x-5">
        {mayPay && canRefund(order.payment) && (
          <TextButton aria-label={`Refund ${order.orderNumber}`} onClick={onRefund} size="sm">
            Refund
          </TextButton>
        )}
        {mayPay && cashToSend(order) > 0 && (
          <TextButton aria-label={`Note the refund of ${order.orderNumber}`} onClick={onCashRefund} size="sm">
            Note the refund
          </TextButton>
        )}
        {mayPay && canCollect(order) && (
          <TextButton aria-label={`Cash received for ${order.orderNumber}`} onClick={onCash} size="sm">
            Cash received
          </TextButton>
        )}
      </div>
    </div>
  );
};
