import { Banknote, Check, Clock, Gift, type LucideIcon, Minus, PackageCheck, StickyNote, TriangleAlert, Undo2 } from 'lucide-react';
import type { PaymentStatus } from '#domain/payment/rules.ts';
import { isUnreachable } from '#domain/order/view.ts';
import { methodText } from '../../../lib/payment-text.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { cx } from '../../../ui/cx.ts';
import type { AdminOrder } from '../admin-types.ts';

type PaymentLook = { readonly icon: LucideIcon; readonly color: string; readonly text: string };

const paymentLooks: Readonly<Record<PaymentStatus, PaymentLook>> = {
  none: { icon: Minus, color: 'text-teak', text: 'Not placed' },
  on_delivery: { icon: Banknote, color: 'text-clove', text: 'On delivery' },
  collected: { icon: Check, color: 'text-khus', text: 'Collected' },
  due: { icon: Clock, color: 'text-kesar', text: 'Due' },
  paid: { icon: Check, color: 'text-khus', text: 'Paid' },
  refunding: { icon: Undo2, color: 'text-kesar', text: 'Refunding' },
  partly_refunded: { icon: Undo2, color: 'text-clove', text: 'Partly refunded' },
  refunded: { icon: Undo2, color: 'text-clove', text: 'Refunded' },
  cancelled: { icon: Minus, color: 'text-teak', text: 'Never paid' },
};

/** The payment in words beside a mark: there is one badge in a row, that of the status. */
export const PaymentMark = ({ order: { payment, mismatch } }: { readonly order: AdminOrder }) => {
  const {
    icon: Icon,
    color,
    text,
  } = mismatch === undefined ? paymentLooks[payment.status] : { icon: TriangleAlert, color: 'text-sindoor', text: 'Does not add up' };
  const method =
    payment.status === 'paid' && payment.method !== undefined && mismatch === undefined ? `, ${methodText(payment.method)}` : '';
  return (
    <span
      title={mismatch}
      className={cx('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', mismatch !== undefined && 'text-sindoor')}
    >
      <Icon className={cx('size-4', color)} strokeWidth={1.8} />
      <span>
        {text}
        {method}
      </span>
    </span>
  );
};

/** The status, and the desk's own mark on what is packed: for the shopper it stays confirmed. */
export const StatusMark = ({ order: { status, packedAt } }: { readonly order: AdminOrder }) =>
  status === 'confirmed' && packedAt !== null ? (
    <span className="inline-flex h-7 items-center gap-1.5 rounded-xs bg-ash px-2.5 text-xs font-medium text-ash-deep">
      <PackageCheck className="size-3.5" strokeWidth={2} />
      <span>Packed</span>
    </span>
  ) : (
    <Badge status={status} />
  );

type Packing = Pick<AdminOrder, 'giftWrap' | 'note' | 'shippingAddress'>;

const packingMarks = (order: Packing) => [
  { icon: Gift, text: 'Gift wrap', color: 'text-floral-deep', holds: order.giftWrap },
  { icon: StickyNote, text: 'Order note', color: 'text-gold-deep', holds: order.note !== '' && !isUnreachable(order) },
];

/** What the packing room must not miss: the same two places in every row, so that they read as columns. */
export const PackingMarks = ({ order }: { readonly order: Packing }) => (
  <span className="inline-flex shrink-0 gap-1.5">
    {packingMarks(order).map(({ icon: Icon, text, color, holds }) =>
      holds ? (
        <span key={text} title={text} className={color}>
          <Icon className="size-4" strokeWidth={1.8} />
          <span className="sr-only">{text}</span>
        </span>
      ) : (
        <span key={text} className="size-4" />
      ),
    )}
  </span>
);

export const GiftWrapLine = () => (
  <p className="flex items-center gap-2 border-t border-sandal/70 px-5 py-3 text-[0.875rem]">
    <Gift className="size-4 text-floral-deep" strokeWidth={1.8} />
    <span className="font-medium">Gift wrap</span>
  </p>
);
