import { type ReactNode, useState } from 'react';
import { ERASED } from '#domain/event-store.ts';
import { isUnreachable, type OrderView } from '#domain/order/view.ts';
import { CASH } from '#domain/payment/events.ts';
import { LONGEST_REFERENCE } from '#domain/payment/refunds.ts';
import { exactPrice, rupees, sum, toPaise, ZERO } from '#domain/shared/money.ts';
import { methodText } from '../../../lib/payment-text.ts';
import { moneyText } from '../../../lib/format.ts';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { type FieldErrors, findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import type { AdminOrder } from '../admin-types.ts';
import { useNotify } from '../Notices.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { useCollectCashMutation, useNoteCashRefundMutation, useRefundOrderMutation } from '../money/money-api.ts';

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
  /** Names the deed with the typed sum, which is undefined while it is no amount. */
  readonly deed: (sum: string | undefined) => string;
  readonly keep: string;
  /** The amount is in rupees, and 0 when it is unknown. */
  readonly amount: number;
  readonly asksReason?: boolean;
  readonly send: (amount: number, reason: string) => Promise<unknown>;
  readonly done: (amount: string) => string;
  readonly onClose: () => void;
};

const AmountDialog = ({ title, description, deed, keep, amount, asksReason = false, send, done, onClose }: AmountDialogProps) => {
  const notify = useNotify();
  const { field, watch, ...form } = useValidatedForm<Values>({
    defaultValues: { amount: amount === 0 ? '' : amount.toFixed(2), reason: '' },
    validate: (values) => findFaults(values, asksReason ? ['amount', 'reason'] : ['amount']),
    send: async (values) => {
      await send(parseAmount(values.amount), values.reason.trim());
      notify({ kind: 'success', message: done(moneyText(parseAmount(values.amount))) });
      onClose();
    },
  });
  const typed = parseAmount(watch('amount'));
  const action = deed(typed === 0 ? undefined : moneyText(typed));
  return (
    <FormDialog title={title} description={description} action={action} keep={keep} busy="Saving..." form={form} onClose={onClose}>
      <Field {...field('amount')} label="Amount in rupees" inputMode="decimal" autoComplete="off" />
      {asksReason && (
        <TextArea {...field('reason')} label="Reason" rows={3} maxLength={LONGEST_REASON} hint="The shopper reads it in the order." />
      )}
    </FormDialog>
  );
};

type OrderDialogProps = { readonly order: AdminOrder; readonly onClose: () => void };

/** Says where a refund goes, when, and who is told. */
const describeRefund = (order: AdminOrder, left: number): string => {
  const { method } = order.payment;
  const way =
    method === 'cash'
      ? 'The cash cannot go back the way it came: it is to be sent by bank or UPI, and its reference noted then.'
      : `What you name goes back the way it came${method === undefined ? '' : `, by ${methodText(method)}`}: the gateway is told at once, and how long the bank then takes is up to the bank.`;
  const limit = left > 0 ? ` ${moneyText(left)} can be refunded.` : '';
  return `${way}${limit}${isUnreachable(order) ? '' : ' The shopper is told by e-mail when it is done.'}`;
};

export const RefundDialog = ({ order, onClose }: OrderDialogProps) => {
  const [refund] = useRefundOrderMutation();
  const left = order.payment.refundable;
  return (
    <AmountDialog
      title={`Refund: ${order.orderNumber}`}
      description={<p>{describeRefund(order, left)}</p>}
      deed={(sum) => (sum === undefined ? 'Refund' : `Refund ${sum}`)}
      keep="Refund nothing"
      amount={left}
      asksReason={!isUnreachable(order)}
      // The server keeps no other reason for somebody who is erased.
      send={(amount, reason) => refund({ id: order._id, amount, reason: isUnreachable(order) ? ERASED : reason }).unwrap()}
      done={(amount) => `${amount} of ${order.orderNumber} will be refunded`}
      onClose={onClose}
    />
  );
};

/** What is to be sent of the order's cash, in rupees. */
export const cashToSend = ({ payment }: Pick<OrderView, 'payment'>): number =>
  rupees(
    sum(
      payment.refunds
        .filter(({ _id, status }) => _id.startsWith(`${CASH}-`) && status === 'requested')
        .map(({ amount }) => toPaise(amount)),
    ),
  );

type CashRefundDialogProps = { readonly order: OrderView; readonly onClose: () => void };

/**
 * Cash cannot go back the way it came: staff send it, and note the reference of the transfer. The sum stays what it was when the dialog was
 * opened, because that is what they have sent.
 */
export const CashRefundDialog = ({ order, onClose }: CashRefundDialogProps) => {
  const [note] = useNoteCashRefundMutation();
  const notify = useNotify();
  const [toSend] = useState(() => cashToSend(order));
  const amount = moneyText(toSend);
  const { field, ...form } = useValidatedForm<{ readonly reference: string }>({
    validate: (values) => findMissing(['reference'], values),
    send: async ({ reference }) => {
      await note({ id: order._id, reference: reference.trim(), amount: toSend }).unwrap();
      notify({ kind: 'success', message: `The refund of ${amount} for ${order.orderNumber} is noted` });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Refund ${amount}: ${order.orderNumber}`}
      description={
        <p>
          The courier was paid in cash, so the sum cannot go back the way it came. Send it by bank or UPI, then note the reference here.
        </p>
      }
      action={`Note refund of ${amount}`}
      keep="Not yet"
      busy="Saving..."
      form={form}
      onClose={onClose}
    >
      <Field
        {...field('reference')}
        label="Reference of the transfer"
        autoComplete="off"
        maxLength={LONGEST_REFERENCE}
        hint="Stands in the order’s payment for the shopper and the auditors."
      />
    </FormDialog>
  );
};

type CashDialogProps = {
  readonly order: Pick<AdminOrder, '_id' | 'orderNumber'> & { readonly payment: Pick<AdminOrder['payment'], 'amount'> };
  readonly onClose: () => void;
};

export const CashDialog = ({ order, onClose }: CashDialogProps) => {
  const [collect] = useCollectCashMutation();
  return (
    <AmountDialog
      title={`Cash received: ${order.orderNumber}`}
      description={
        <p>The courier has brought it to you: it is booked as paid at once. Another amount than the total stands among the mismatches.</p>
      }
      deed={(sum) => (sum === undefined ? 'Book as received' : `Book ${sum} as received`)}
      keep="Not yet"
      amount={order.payment.amount}
      send={(amount) => collect({ id: order._id, amount }).unwrap()}
      done={(amount) => `${amount} received for ${order.orderNumber}`}
      onClose={onClose}
    />
  );
};
