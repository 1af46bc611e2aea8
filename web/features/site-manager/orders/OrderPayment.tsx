import type { PaymentView } from '#domain/payment/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { leftToRefund, methodText, paymentStatusText } from '../../../lib/payment-text.ts';
import { TextButton } from '../../../ui/TextLink.tsx';
import type { AdminOrder } from '../admin-types.ts';

const canRefund = (payment: PaymentView): boolean =>
  payment.status === 'paid' || payment.status === 'partly_refunded' || (payment.status === 'refunding' && leftToRefund(payment) > 0);

const canCollect = ({ status, payment }: AdminOrder): boolean => status === 'delivered' && payment.status === 'on_delivery';

/** Returns the status and the known facts: how and when the order was paid, and what was refunded. */
const describePayment = ({ status, method, paidAt, refunded }: PaymentView): readonly string[] => [
  paymentStatusText[status],
  ...(method !== undefined && method !== 'cash' ? [methodText(method)] : []),
  ...(paidAt === undefined ? [] : [dayText(paidAt)]),
  ...(refunded > 0 ? [`${moneyText(refunded)} refunded`] : []),
];

type OrderPaymentProps = { readonly order: AdminOrder; readonly onRefund: () => void; readonly onCash: () => void };

export const OrderPayment = ({ order, onRefund, onCash }: OrderPaymentProps) => (
  <div className="border-t border-sandal/70 px-5 py-4 text-[0.875rem]">
    <p className="figures">
      <span className="font-medium">Payment:</span> {describePayment(order.payment).join(' · ')}
    </p>
    {order.mismatch !== undefined && <p className="mt-1 font-medium wrap-anywhere text-sindoor">{order.mismatch}</p>}
    {canRefund(order.payment) && (
      <TextButton aria-label={`Refund ${order.orderNumber}`} onClick={onRefund} size="sm">
        Refund
      </TextButton>
    )}
    {canCollect(order) && (
      <TextButton aria-label={`Cash received for ${order.orderNumber}`} onClick={onCash} size="sm">
        Cash received
      </TextButton>
    )}
  </div>
);
