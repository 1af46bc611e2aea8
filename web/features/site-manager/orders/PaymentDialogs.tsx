import type { ReactNode } from 'react';
import { ERASED } from '#domain/event-store.ts';
import { isUnreachable } from '#domain/order/view.ts';
import { exactPrice, rupees, ZERO } from '#domain/shared/money.ts';
import { leftToRefund } from '../../../lib/payment-text.ts';
import { moneyText } from '../../../lib/format.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { type FieldErrors, findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import type { AdminOrder } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useCollectCashMutation, useRefundOrderMutation } from '../money/money-api.ts';

type Values = { readonly amount: string; readonly reason: string };

/** The server accepts at most this many characters. */
const LONGEST_REASON = 500;
const NO_AMOUNT = 'An amount above 0 with at most two decimals';

/** Returns the amount in rupees, or 0 for invalid text. */
const parseAmount = (text: string): number => rupees(exactPrice(text) ?? ZERO);

const findFaults = (values: Values, required: readonly string[]): FieldErrors => ({
  ...(parseAmount(values.amount) === 0 && { amount: NO_AMOUNT }),
  ...findMissing(required, values),
});

type AmountDialogProps = {
  readonly title: string;
  readonly description: ReactNode;
  readonly action: string;
  /** The amount is in rupees, and 0 when it is unknown. */
  readonly amount: number;
  readonly asksReason?: boolean;
  readonly send: (amount: number, reason: string) => Promise<unknown>;
  readonly done: (amount: string) => string;
  readonly onClose: () => void;
};

const AmountDialog = ({ title, description, action, amount, asksReason = false, send, done, onClose }: AmountDialogProps) => {
  const notify = useNotify();
  const { field, ...form } = useValidatedForm<Values>({
    defaultValues: { amount: amount === 0 ? '' : amount.toFixed(2), reason: '' },
    validate: (values) => findFaults(values, asksReason ? ['amount', 'reason'] : ['amount']),
    send: async (values) => {
      await send(parseAmount(values.amount), values.reason.trim());
      notify({ kind: 'success', message: done(moneyText(parseAmount(values.amount))) });
      onClose();
    },
  });
  return (
    <FormDialog title={title} description={description} action={action} busy="Saving..." form={form} onClose={onClose}>
      <Field {...field('amount')} label="Amount in rupees" inputMode="decimal" autoComplete="off" />
      {asksReason && (
        <TextArea {...field('reason')} label="Reason" rows={3} maxLength={LONGEST_REASON} hint="The shopper reads it in the order." />
      )}
    </FormDialog>
  );
};

type OrderDialogProps = { readonly order: AdminOrder; readonly onClose: () => void };

export const RefundDialog = ({ order, onClose }: OrderDialogProps) => {
  const [refund] = useRefundOrderMutation();
  const left = leftToRefund(order.payment);
  return (
    <AmountDialog
      title={`Refund: ${order.orderNumber}`}
      description={
        <p>
          {left > 0 && `${moneyText(left)} can be refunded. `}The gateway sends it back the way it came
          {isUnreachable(order) ? '.' : '; the shopper is told by e-mail when it has done so.'}
        </p>
      }
      action="Refund"
      amount={left}
      asksReason={!isUnreachable(order)}
      // The server keeps no other reason for somebody who is erased.
      send={(amount, reason) => refund({ id: order._id, amount, reason: isUnreachable(order) ? ERASED : reason }).unwrap()}
      done={(amount) => `${amount} of ${order.orderNumber} will be refunded`}
      onClose={onClose}
    />
  );
};

export const CashDialog = ({ order, onClose }: OrderDialogProps) => {
  const [collect] = useCollectCashMutation();
  return (
    <AmountDialog
      title={`Cash received: ${order.orderNumber}`}
      description={
        <p>What the courier has brought for it. Another amount than the total is booked too, and stands among the mismatches.</p>
      }
      action="Cash received"
      amount={order.payment.amount}
      send={(amount) => collect({ id: order._id, amount }).unwrap()}
      done={(amount) => `${amount} received for ${order.orderNumber}`}
      onClose={onClose}
    />
  );
};
