import { useDispatch } from 'react-redux';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { returnPolicy } from '#domain/order/rules.ts';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import type { CalendarDate } from '#domain/shared/time.ts';
import { shortDayText } from '../../../lib/dates.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { findMissing, useValidatedForm } from '../../../ui/form/use-validated-form.ts';
import { returnRequested } from '../order-slice.ts';
import { Action, type Attempt, useRefusal } from './OrderActions.tsx';

type Left = { readonly item: OrderItemView; readonly left: number };

/** Returns the items of which bottles can still come back, and how many. */
const listReturnable = ({ items, returns }: Pick<OrderView, 'items' | 'returns'>): readonly Left[] => {
  const back = returns.flatMap(({ status, lines }) => (status === 'received' ? lines : []));
  return items
    .map((item) => ({
      item,
      left: back.reduce((left, line) => left - (line.productId === item.product._id ? line.quantity : 0), item.quantity),
    }))
    .filter(({ left }) => left > 0);
};

type Values = { readonly opened: 'yes' | 'no' | null; readonly reason: string } & Readonly<Record<`line-${number}`, string>>;
type ReturnOrderProps = Attempt & { readonly order: OrderView; readonly lastDay: CalendarDate };

const NOTHING = 'Please choose what comes back';

/** Offered within 14 days of delivery, while no other return is open. It shows the rules of the return policy before anything is sent. */
export const ReturnOrder = ({ order, lastDay, busy, failure }: ReturnOrderProps) => {
  const dispatch = useDispatch();
  const returnable = listReturnable(order);
  const isOneBottle = returnable.length === 1 && returnable[0]?.left === 1;
  const readLines = (values: Values) =>
    returnable
      .map(({ item }, index) => ({ productId: item.product._id, quantity: Number(values[`line-${index}`] ?? 0) }))
      .filter(({ quantity }) => quantity > 0);
  const { field, refuse, ...form } = useValidatedForm<Values>({
    validate: (values) => ({
      ...(readLines(values).length === 0 && { 'line-0': NOTHING }),
      ...(values.opened ? {} : { opened: 'Please say whether a bottle was opened' }),
      ...findMissing(['reason'], values),
    }),
    send: (values) => {
      const { opened, reason } = values;
      dispatch(returnRequested({ id: order._id, lines: readLines(values), reason: reason.trim(), opened: opened === 'yes' }));
    },
  });
  useRefusal(failure, refuse);
  // The first field that is wrong takes the focus, in this order.
  const lines = returnable.map((_, index) => field(`line-${index}`));
  const { error: unsaid, ...opened } = field('opened');
  const description = <Rules lastDay={lastDay} isPaidInCash={order.paymentMethod === 'COD'} />;
  return (
    <Action title="Return order" question="What comes back?" description={description} sending="Sending..." busy={busy} form={form}>
      <div className="mt-6 grid gap-4">
        {returnable.map(({ item, left }, index) => (
          <SelectField
            key={item.product._id}
            {...lines[index]}
            defaultValue={isOneBottle ? '1' : '0'}
            label={item.product.name}
            options={Array.from({ length: left + 1 }, (_, quantity) => ({
              value: String(quantity),
              text: quantity === 0 ? 'Stays with me' : `${quantity} of ${item.quantity}`,
            }))}
          />
        ))}
      </div>
      <fieldset className="mt-6">
        <legend className="text-[0.875rem] font-medium">Was a bottle opened?</legend>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <RadioCard {...opened} value="no" label="No, all are sealed" />
          <RadioCard {...opened} value="yes" label="Yes, at least one" />
        </div>
        {unsaid !== undefined && <Alert className="mt-3">{unsaid}</Alert>}
      </fieldset>
      <TextArea {...field('reason')} label="Reason" required rows={3} maxLength={LONGEST_NOTE} className="mt-6" />
    </Action>
  );
};

const Rules = ({ lastDay, isPaidInCash }: { readonly lastDay: CalendarDate; readonly isPaidInCash: boolean }) => (
  <>
    <p>
      The refund goes {isPaidInCash ? 'to you by bank or UPI transfer' : 'to the original payment method'} within 7–10 business days of the
      bottle reaching us. We look at your wish first and mail you where to send it; you pay the way back.
    </p>
    <p>
      {returnPolicy.unopened} For this order, that is until <span className="font-medium text-ink">{shortDayText(lastDay)}</span>.
    </p>
    <TextLink to={pages.returnPolicy}>Read the return policy</TextLink>
  </>
);
