import { Check } from 'lucide-react';
import { useState } from 'react';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { lastDayToReturn } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { CASH } from '#domain/payment/events.ts';
import { rupees, sum, toPaise } from '#domain/shared/money.ts';
import type { Instant } from '#domain/shared/time.ts';
import { momentText, shortDayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { goesBackFor, methodText, paymentStatusText } from '../../../lib/payment-text.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { getMessage } from '../../../lib/http/api.ts';
import { useNotify } from '../Notices.tsx';
import { useStockQuery } from '../admin-api.ts';
import { useMay } from '../use-may.ts';
import { CashRefundDialog } from '../orders/PaymentDialogs.tsx';
import { type Handling, type ReturnRow, useHandleReturnMutation } from './returns-api.ts';

const refundsOf = ({ _id, order }: Pick<ReturnRow, '_id' | 'order'>) =>
  order.payment.refunds.filter((refund) => `${order._id}-${refund.return}` === _id);

/** Returns whether staff have to send the cash of this return back. */
export const isToRefund = (row: Pick<ReturnRow, '_id' | 'order'>): boolean =>
  refundsOf(row).some(({ _id, status }) => _id.startsWith(`${CASH}-`) && status === 'requested');

/** Returns whether the cash of the order is not booked yet: it waits with the courier. */
const isWithCourier = ({ payment }: OrderView): boolean => payment.status === 'on_delivery';

const wasNeverPaid = ({ payment }: OrderView): boolean => ['none', 'due', 'cancelled'].includes(payment.status);

/** Returns what goes back for this return, or went, in rupees: less than its value if the desk refunded a part before. */
const sumBack = (row: Pick<ReturnRow, '_id' | 'order' | 'value'>): number => {
  if (wasNeverPaid(row.order)) return 0;
  const refunds = refundsOf(row);
  return refunds.length === 0 ? goesBackFor(row.value, row.order.payment) : rupees(sum(refunds.map(({ amount }) => toPaise(amount))));
};

/** A return of the order, and what staff do about it next. */
export const ReturnDetails = ({ row }: { readonly row: ReturnRow }) => {
  const { order, orderNumber } = row;
  const { payment, shippingAddress, status } = order;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="figures text-[1.25rem] font-semibold tracking-[0.01em]">{orderNumber}</h3>
        <Badge status={status} />
        <span className="text-[0.875rem]">
          {paymentStatusText[payment.status]}
          {payment.method === undefined ? '' : `, ${methodText(payment.method)}`}
        </span>
      </div>
      <p className="text-[0.9375rem] wrap-anywhere text-clove">
        {shippingAddress.name}, {shippingAddress.city}
      </p>
      <Steps row={row} />
      <div className="mt-6 grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div>
          <blockquote className="border-l border-gold pl-4 text-[1.0625rem] leading-relaxed wrap-anywhere">“{row.reason}”</blockquote>
          <Facts row={row} />
          {row.note !== undefined && <p className="mt-4 text-[0.9375rem] wrap-anywhere">Note to the customer: {row.note}</p>}
          {row.status === 'requested' && <Decide row={row} />}
          {row.status === 'accepted' && <Receive row={row} />}
          {isToRefund(row) && <RefundCash row={row} />}
        </div>
        <Sums row={row} />
      </div>
    </>
  );
};

type RowProps = { readonly row: ReturnRow };

const Steps = ({ row }: RowProps) => {
  const { status, requestedAt, decidedAt, receivedAt } = row;
  const refunds = refundsOf(row);
  const refundedAt = refunds.length > 0 && refunds.every((refund) => refund.status === 'settled') ? refunds.at(-1)?.at : undefined;
  const steps: readonly (readonly [name: string, at: Instant | undefined])[] = [
    ['Asked for', requestedAt],
    [status === 'requested' ? 'Decided' : status === 'refused' ? 'Refused' : 'Accepted', decidedAt],
    ...(status === 'refused'
      ? []
      : ([
          ['Received', receivedAt],
          ['Refunded', refundedAt],
        ] as const)),
  ];
  return (
    <ol className="mt-5 flex flex-col gap-x-4 sm:flex-row" aria-label="The return">
      {steps.map(([name, at]) => (
        <li
          key={name}
          className={cx(
            'relative flex-1 max-sm:pb-3 max-sm:pl-7 sm:pt-6 max-sm:before:absolute max-sm:before:top-3 max-sm:before:left-[5px] max-sm:before:h-full max-sm:before:w-px max-sm:last:before:hidden sm:before:absolute sm:before:top-[5px] sm:before:right-0 sm:before:left-3 sm:before:h-px sm:last:before:hidden',
            at === undefined ? 'before:bg-sandal' : 'before:bg-gold',
          )}
        >
          <span
            className={cx(
              'absolute top-1 left-0 size-[11px] rounded-full border sm:top-0',
              at === undefined ? 'border-teak bg-ivory' : 'border-gold bg-gold',
            )}
          />
          <p className={cx('text-[0.9375rem] leading-tight', at === undefined ? 'text-clove' : 'font-medium')}>
            {at === undefined && <span className="sr-only">To come: </span>}
            <span>{name}</span>
          </p>
          <p className="figures mt-0.5 text-[0.8125rem] leading-snug text-clove">{at === undefined ? '' : momentText(at)}</p>
        </li>
      ))}
    </ol>
  );
};

const Facts = ({ row: { order } }: RowProps) => {
  const deliveredAt = order.history.findLast(({ status }) => status === 'delivered')?.at;
  const others = order.returns.length - 1;
  const facts = [
    'Said to be unopened',
    ...(deliveredAt === undefined ? [] : [`Could be asked for until ${shortDayText(lastDayToReturn(deliveredAt))}`]),
    others === 0 ? 'No other return of this order' : `Returns of this order besides it: ${others}`,
  ];
  return (
    <ul className="mt-4 space-y-1.5 text-[0.9375rem]">
      {facts.map((fact) => (
        <li key={fact} className="flex items-center gap-2.5">
          <Check className="size-4 text-khus-deep" strokeWidth={1.5} />
          <span>{fact}</span>
        </li>
      ))}
    </ul>
  );
};

/** Sends a command about the return. `failure` is what the server says against it. */
const useHandling = ({ _id, orderId, orderNumber }: ReturnRow) => {
  const [handle, { isLoading, error, originalArgs }] = useHandleReturnMutation();
  const notify = useNotify();
  const send = async (body: Handling, done: string): Promise<void> => {
    const answer = await handle({ id: orderId, return: Number(_id.slice(orderId.length + 1)), ...body });
    if (!('error' in answer)) notify({ kind: 'success', message: `The return of ${orderNumber} is ${done}` });
  };
  return { send, isBusy: isLoading, sent: originalArgs, failure: error === undefined ? undefined : getMessage(error) };
};

const Decide = ({ row }: RowProps) => {
  const [note, setNote] = useState('');
  const { send, isBusy, sent, failure } = useHandling(row);
  const decide = (decision: 'accepted' | 'refused') => void send({ decision, note: note.trim() }, decision);
  const isSent = (decision: string): string | undefined =>
    isBusy && sent && 'decision' in sent && sent.decision === decision ? 'Saving...' : undefined;
  return (
    <>
      {/* Nobody can be written to after an erasure, and no note is kept. */}
      <TextArea
        className="mt-6"
        label="Note to the customer"
        optional
        rows={3}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        hint="Stands in the mail that tells of the decision, or for a guest on the page of the order."
      />
      {failure !== undefined && <Alert className="mt-4">{failure}</Alert>}
      <div className="mt-5 flex gap-2">
        <Button disabled={isBusy} busy={isSent('accepted')} onClick={() => decide('accepted')} className="min-w-40 max-sm:flex-1">
          Accept return
        </Button>
        <Button kind="outline" disabled={isBusy} busy={isSent('refused')} onClick={() => decide('refused')}>
          Refuse
        </Button>
      </div>
    </>
  );
};

const NOTE_FOLLOWS = 'The credit note follows at once.';

/** Names the deed of receiving, and says what follows. */
const tellReceipt = (row: ReturnRow): { readonly deed: string; readonly follows: string } => {
  const back = sumBack(row);
  if (wasNeverPaid(row.order)) return { deed: 'Received: nothing was paid', follows: NOTE_FOLLOWS };
  if (back === 0) return { deed: 'Received: all is refunded', follows: NOTE_FOLLOWS };
  if (!isWithCourier(row.order))
    return {
      deed: `Received: refund ${moneyText(back)}`,
      follows:
        row.order.payment.method === 'cash'
          ? `Then send the ${moneyText(back)} by bank or UPI, and note it here. ${NOTE_FOLLOWS}`
          : 'Refund and credit note follow at once.',
    };
  return {
    deed: 'Received: refund later',
    follows: `${moneyText(back)} goes back once the courier’s cash is booked. ${NOTE_FOLLOWS}`,
  };
};

const Receive = ({ row }: RowProps) => {
  const [restock, setRestock] = useState<boolean>();
  const { send, isBusy, failure } = useHandling(row);
  const [unsaid, setUnsaid] = useState(false);
  const [first] = row.lines;
  const mayCount = useMay()('products');
  const { data } = useStockQuery(first?.productId ?? row.order.items[0]?.product._id ?? ('' as never), {
    skip: row.lines.length !== 1 || !mayCount,
  });
  const onHand = data?.stock?.onHand;
  const detail =
    onHand === undefined || !first
      ? 'Seal whole. Counted bottles grow.'
      : `Seal whole. ${onHand} on hand become ${onHand + first.quantity}.`;
  const { deed, follows } = tellReceipt(row);
  const choose = (value: boolean) => () => {
    setRestock(value);
    setUnsaid(false);
  };
  const receive = (): void => (restock === undefined ? setUnsaid(true) : void send({ received: true, restock }, 'received'));
  return (
    <>
      <fieldset className="mt-6">
        <legend className="text-[0.9375rem] font-medium">The parcel is here. Where do the bottles go?</legend>
        <div className="mt-3 grid gap-3">
          <RadioCard name="restock" checked={restock === true} onChange={choose(true)} label="Back into stock" detail={detail} />
          <RadioCard
            name="restock"
            checked={restock === false}
            onChange={choose(false)}
            label="Not to be sold again"
            detail="Opened or damaged. The count stays."
          />
        </div>
      </fieldset>
      {unsaid && <Alert className="mt-4">Please say where the bottles go</Alert>}
      {failure !== undefined && <Alert className="mt-4">{failure}</Alert>}
      <div className="mt-5">
        <Button busy={isBusy ? 'Saving...' : undefined} onClick={receive} className="max-sm:w-full">
          {deed}
        </Button>
      </div>
      <p className="mt-3 text-[0.8125rem] text-clove">{follows}</p>
    </>
  );
};

const RefundCash = ({ row }: RowProps) => {
  const [isOpen, setOpen] = useState(false);
  const mayPay = useMay()('money');
  if (!mayPay) return <p className="mt-6 text-[0.9375rem]">Whoever keeps the money sends the sum back and notes it.</p>;
  return (
    <div className="mt-6">
      <Button onClick={() => setOpen(true)}>Note the refund</Button>
      {isOpen && <CashRefundDialog order={row.order} onClose={() => setOpen(false)} />}
    </div>
  );
};

const Sums = ({ row }: RowProps) => {
  const { lines, order, value, status } = row;
  const sold = lines.flatMap(({ productId, quantity }) => {
    const item = order.items.find(({ product }) => product._id === productId);
    if (!item) return [];
    const price = toPaise(Number(item.product.price.replaceAll(/[^\d.]/g, '')));
    return [{ item, quantity, price, amount: sum(Array.from({ length: quantity }, () => price)) }];
  });
  const prices = sum(sold.map(({ amount }) => amount));
  const rest = rupees(toPaise(value)) - rupees(prices);
  const back = sumBack(row);
  const way = order.paymentMethod === 'COD' ? 'By bank or UPI' : 'The way it came';
  return (
    <aside aria-label="What comes back" className="self-start bg-paper px-5 py-4">
      <h4 className="text-[0.9375rem] font-medium">{status === 'requested' ? 'What would come back' : 'What comes back'}</h4>
      <ul className="mt-1">
        {sold.map(({ item: { product, quantity: bought }, quantity, price, amount }) => (
          <li key={product._id} className="flex items-center gap-4 border-b border-sandal/70 py-2.5">
            <Picture src={product.productImageUrl[0]} alt="" sizes="2.5rem" className="aspect-4/5 w-10 shrink-0 object-cover" />
            <span className="min-w-0 flex-1">
              <span className="block text-[0.9375rem] leading-tight font-medium wrap-anywhere">{product.name}</span>
              <span className="figures text-[0.8125rem] text-clove">
                {quantity} of {bought} bought, {moneyText(rupees(price))} each
              </span>
            </span>
            <span className="figures">{moneyText(rupees(amount))}</span>
          </li>
        ))}
      </ul>
      <dl className="figures space-y-1 pt-2.5 text-[0.875rem]">
        <div className="flex justify-between">
          <dt className="text-clove">Price of the lines</dt>
          <dd>{moneyText(rupees(prices))}</dd>
        </div>
        <div className="flex justify-between">
          <dt className="text-clove">{order.giftWrap ? 'Tax and what is left of the gift wrap' : 'Tax'}</dt>
          <dd>{moneyText(Math.round(rest * 100) / 100)}</dd>
        </div>
        {back < value && !wasNeverPaid(order) && (
          <div className="flex justify-between">
            <dt className="text-clove">Refunded before</dt>
            <dd>−{moneyText(rupees(toPaise(value)) - back)}</dd>
          </div>
        )}
        <div className="flex items-baseline justify-between border-t border-sandal pt-2 text-[1rem] font-semibold">
          <dt>Goes back</dt>
          <dd>{moneyText(back)}</dd>
        </div>
      </dl>
      <p className="mt-2 text-[0.8125rem] text-clove">
        {isWithCourier(order)
          ? `${way}, when the bottles are here and the courier’s cash is booked. The credit note is issued when the bottles are here, not before.`
          : `${way}, when the bottles are here. The credit note is issued then, not before.`}
      </p>
    </aside>
  );
};
