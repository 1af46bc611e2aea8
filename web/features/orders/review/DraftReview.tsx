import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { textsFor } from '#domain/order/texts.ts';
import { type PaymentMethod, paymentMethods } from '#domain/order/events.ts';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { moneyText } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { FocusedMessage } from '../../../ui/feedback/FocusedMessage.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { Address } from '../Address.tsx';
import { CheckoutSteps } from '../CheckoutSteps.tsx';
import { PageHead } from '../PageHead.tsx';
import { draftEdited, selectNotSaved, selectOrderBefore } from '../checkout/checkout-slice.ts';
import { isPrepaidRefusal, listReasons, type Failure } from '../order-failure.ts';
import { detailsPath } from '../order-paths.ts';
import { placeRequested, refreshRequested, selectOrder } from '../order-slice.ts';
import { isPrepaidMissing, methods } from '../payment-methods.ts';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { linesOfOrder, totalsOfOrder, type SummaryLine } from '../summary/summary-lines.ts';

const changeOfLine = (before: OrderItemView | undefined, now: OrderItemView | undefined): string[] => {
  if (before === undefined) return now === undefined ? [] : [`${now.product.name} was added.`];
  const { name, price } = before.product;
  if (now === undefined) return [`${name} is no longer in this order.`];
  return [
    ...(price === now.product.price ? [] : [`${name} is now ${now.product.price}; it was ${price}.`]),
    ...(before.quantity === now.quantity ? [] : [`${name}: ${now.quantity} instead of ${before.quantity}.`]),
  ];
};

/** Returns a sentence per changed line and one for the new total; an empty list when nothing changed. */
const listChanges = (before: OrderView, now: OrderView): readonly string[] => {
  const lines = (order: OrderView) => new Map(order.items.map((item) => [item.product._id, item]));
  const [old, fresh] = [lines(before), lines(now)];
  const ids = new Set([...old.keys(), ...fresh.keys()]);
  const total = (order: OrderView) => moneyText(order.total);
  return [
    ...[...ids].flatMap((id) => changeOfLine(old.get(id), fresh.get(id))),
    ...(before.total === now.total ? [] : [`The total is now ${total(now)}; it was ${total(before)}.`]),
  ];
};

type DraftReviewProps = { readonly order: OrderView; readonly loading: boolean; readonly failure: Failure | null };

export const DraftReview = ({ order, loading, failure }: DraftReviewProps) => {
  const dispatch = useDispatch();
  const before = useSelector(selectOrderBefore);
  const notSaved = useSelector(selectNotSaved);
  const hasNoPrepaid = useSelector(selectOrder).hasNoPrepaid || isPrepaidMissing();
  const [wanted, setMethod] = useState<PaymentMethod>('COD');
  const method = hasNoPrepaid ? 'COD' : wanted;
  const place = (again?: true): void => void dispatch(placeRequested({ id: order._id, method, again }));
  const edit = (): void => void dispatch(draftEdited(order));
  const isCancelled = order.status === 'cancelled';
  return (
    <div className="page-x pb-section">
      <PageHead title="Review Your Order">
        <CheckoutSteps at="Review" onLeave={edit} />
      </PageHead>
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0">
          {isCancelled && <Cancelled />}
          {notSaved !== null && (
            <Alert kind="warning" className="mb-10">
              Your address was not kept for next time. {notSaved}
            </Alert>
          )}
          <Destination order={order} onEdit={edit} />
          <PaymentMethods chosen={method} hasNoPrepaid={hasNoPrepaid} onChoose={setMethod} />
        </div>
        <OrderSummary lines={linesOfOrder(order)} totals={totalsOfOrder(order)}>
          <div className="mt-7 space-y-5">
            {failure?.other && <AlreadyOrdered message={failure.message} other={failure.other} onPlace={() => place(true)} />}
            {failure && !failure.other && (
              <FailureNotice failure={failure} lines={linesOfOrder(order)} onRefresh={() => dispatch(refreshRequested(order))} />
            )}
            {before && failure === null && !loading && <ChangedNotice before={before} now={order} />}
            <Button size="lg" disabled={loading || isCancelled || mustBeRefreshed(failure)} onClick={() => place()} className="w-full">
              Place Order
            </Button>
          </div>
          {!mustBeRefreshed(failure) && <p className="mt-4 text-center text-xs text-clove">You pay exactly what is shown here.</p>}
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

const Destination = ({ order, onEdit }: DestinationProps) => (
  <div className="grid gap-10 sm:grid-cols-2">
    <section>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="display text-h3">Shipping address</h2>
        <Link to={pages.checkout} onClick={onEdit} className="link inline-flex min-h-8 items-center text-[0.875rem] font-medium">
          Edit<span className="sr-only"> shipping address</span>
        </Link>
      </div>
      <div className="mt-3">
        <Address of={order.shippingAddress} />
      </div>
    </section>
    {order.giftWrap && order.giftMessage === '' && (
      <section>
        <h2 className="display text-h3">Gift wrap</h2>
        <p className="mt-3 text-clove">Wrapped in cotton paper and silk thread, without a message.</p>
      </section>
    )}
    {textsFor('shopper', order).map(({ field, title, text, isQuoted }) => (
      <section key={field}>
        <h2 className="display text-h3">{title}</h2>
        {isQuoted ? (
          <blockquote className="display mt-3 border-l border-gold pl-5 text-h3 leading-snug wrap-anywhere whitespace-pre-line text-clove italic">
            {text}
          </blockquote>
        ) : (
          <p className="mt-3 wrap-anywhere whitespace-pre-line text-clove">{text}</p>
        )}
      </section>
    ))}
  </div>
);

type PaymentMethodsProps = {
  readonly chosen: PaymentMethod;
  readonly hasNoPrepaid: boolean;
  readonly onChoose: (method: PaymentMethod) => void;
};

const NO_PREPAID = { detail: 'Not available: the shop cannot take online payments at the moment.', disabled: true };

const PaymentMethods = ({ chosen, hasNoPrepaid, onChoose }: PaymentMethodsProps) => (
  <fieldset className="mt-14">
    <legend className="display text-h3">Payment method</legend>
    <div className="mt-6 grid gap-4 sm:grid-cols-2">
      {paymentMethods.map((method) => (
        <RadioCard
          key={method}
          name="method"
          value={method}
          {...methods[method]}
          {...(hasNoPrepaid && method === 'Prepaid' && NO_PREPAID)}
          checked={method === chosen}
          onChange={() => onChoose(method)}
        />
      ))}
    </div>
  </fieldset>
);

const linkTo = 'link inline-flex min-h-8 items-center font-semibold';

const isStale = ({ code }: Failure): boolean => code === 'offer_changed' || code === 'order_expired';

const mustBeRefreshed = (failure: Failure | null): boolean => failure !== null && isStale(failure);

type AlreadyOrderedProps = {
  readonly message: string;
  readonly other: NonNullable<Failure['other']>;
  readonly onPlace: () => void;
};

/** Asks before a second order of the same bottles. The number in the message leads to the first one. */
const AlreadyOrdered = ({ message, other: { id, number }, onPlace }: AlreadyOrderedProps) => {
  const [before, after] = message.split(number);
  return (
    <FocusedMessage kind="error" className="">
      <span className="block">
        {before}
        <Link to={detailsPath(id)} className="link">
          {number}
        </Link>
        {after}
      </span>
      <span className="mt-1 flex flex-wrap gap-x-5">
        <button type="button" className={linkTo} onClick={onPlace}>
          Place it anyway
        </button>
        <Link to={detailsPath(id)} className={linkTo}>
          Leave it
        </Link>
      </span>
    </FocusedMessage>
  );
};

type FailureNoticeProps = { readonly failure: Failure; readonly lines: readonly SummaryLine[]; readonly onRefresh: () => void };

/** Takes the focus if something else is to be done than to place the order again. */
const FailureNotice = ({ failure, lines, onRefresh }: FailureNoticeProps) => {
  const content = (
    <>
      <span className="block">{failure.message}</span>
      {listReasons(failure, lines).map((reason) => (
        <span key={reason} className="mt-1 block wrap-anywhere">
          {reason}
        </span>
      ))}
      {isPrepaidRefusal(failure) && <span className="mt-1 block">Cash on Delivery is chosen instead.</span>}
      <span className="mt-1 flex flex-wrap gap-x-5">
        {isStale(failure) && (
          <button type="button" className={linkTo} onClick={onRefresh}>
            Refresh order
          </button>
        )}
        {((failure.status === 409 && !isPrepaidRefusal(failure)) || failure.code === 'cart_empty') && (
          <Link to={pages.cart} className={linkTo}>
            Back to your cart
          </Link>
        )}
      </span>
    </>
  );
  return failure.status === 409 ? (
    <FocusedMessage kind="error" className="">
      {content}
    </FocusedMessage>
  ) : (
    <Alert>{content}</Alert>
  );
};

type ChangedNoticeProps = { readonly before: OrderView; readonly now: OrderView };

/** Shows what the refresh changed, so that nobody is charged a price they have not seen. */
const ChangedNotice = ({ before, now }: ChangedNoticeProps) => {
  const changes = listChanges(before, now);
  return (
    <FocusedMessage className="">
      {changes.length === 0 ? 'Your order is up to date, nothing has changed.' : 'Your order is up to date.'}
      {changes.map((change) => (
        <span key={change} className="mt-1 block wrap-anywhere">
          {change}
        </span>
      ))}
    </FocusedMessage>
  );
};
