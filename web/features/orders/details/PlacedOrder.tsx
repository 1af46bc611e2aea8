import { Gift, Leaf, PackageCheck, Truck } from 'lucide-react';
import { type ComponentType, Fragment, type ReactNode, useState } from 'react';
import { useSelector } from 'react-redux';
import { orderTexts, textsFor } from '#domain/order/texts.ts';
import { isUnreachable, type OrderItemView, type OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { instant } from '#domain/shared/time.ts';
import { parsePrice } from '#domain/shared/money.ts';
import { dayText, shortDayText, windowText } from '../../../lib/dates.ts';
import { scentLine } from '../../../lib/scent-line.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { ButtonLink } from '../../../ui/Button.tsx';
import { FileLink } from '../../../ui/FileLink.tsx';
import { Niche } from '../../../ui/Niche.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { useFocusWhenGone } from '../../../ui/use-focus-when-gone.ts';
import { Address } from '../Address.tsx';
import { useInvoiceQuery } from '../order-api.ts';
import { formatOrderNumber, invoicePath, taxDocumentFile } from '../order-paths.ts';
import { findFailure, isPending, selectOrder } from '../order-slice.ts';
import { methods } from '../payment-methods.ts';
import { PaymentSection } from '../payment/PaymentSection.tsx';
import { rowsAfter, TotalsList } from '../summary/TotalsList.tsx';
import { lineTotalText, totalsOfOrder } from '../summary/summary-lines.ts';
import { CancelOrder, EraseGuest, ReturnOrder } from './OrderActions.tsx';
import { ExplainOrder } from './ExplainOrder.tsx';
import { OrderTimeline, TIMELINE } from './OrderTimeline.tsx';
import { mayBeCancelled, reachedAt, findReturnWindow } from './order-dates.ts';

/** A newsletter form, passed in by `app`, because the orders feature must not import the newsletter. */
export type NewsletterSlot = ComponentType;

type PlacedOrderProps = {
  readonly order: OrderView;
  readonly Newsletter: NewsletterSlot | undefined;
  readonly onErased: ((message: string) => void) | undefined;
};

/** A cancelled or returned order has another title than 'Order Confirmed'. */
const titles: Partial<Record<string, string>> = { cancelled: 'Order Cancelled', returned: 'Order Returned' };

export const PlacedOrder = ({ order, Newsletter, onErased }: PlacedOrderProps) => {
  const title = titles[order.status] ?? 'Order Confirmed';
  usePageTitle(title);
  return (
    <>
      <Seal order={order} title={title} />
      <div className="page-x grid gap-x-16 gap-y-12 py-block lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0 space-y-14">
          <div className="space-y-6">
            <PaymentSection key={order._id} order={order} />
            <DeliveryCard order={order} />
          </div>
          <OrderItems items={order.items} />
          <GiftBlock order={order} />
          <div className="grid gap-x-10 gap-y-14 sm:grid-cols-2">
            <OrderTimeline {...order} />
            <section>
              <h2 className="display text-h2">Shipping address</h2>
              <div className="mt-6">
                <Address of={order.shippingAddress} />
              </div>
              <PlainTexts order={order} />
            </section>
          </div>
        </div>
        <OrderReceipt order={order}>
          <StillPossible order={order} />
          {onErased && <EraseGuest order={order} onErased={onErased} />}
        </OrderReceipt>
      </div>
      {Newsletter && <Newsletter />}
    </>
  );
};

const Seal = ({ order, title }: { readonly order: OrderView; readonly title: string }) => (
  <div className="border-b border-sandal bg-paper">
    <div className="page-x flex flex-col items-center py-16 text-center md:py-24">
      <Niche className="h-20 text-gold" height={88} drop={titles[order.status] === undefined} strokeWidth={1} />
      <Title isEnded={titles[order.status] !== undefined}>{title}</Title>
      <p className="figures mt-5 text-lead">
        Order <span className="font-medium">{formatOrderNumber(order)}</span>
      </p>
      {!isUnreachable(order) && (
        <p className="mt-1 text-clove">
          An e-mail was sent to <span className="wrap-anywhere">{order.shippingAddress.email}</span>
        </p>
      )}
      <p className="mt-4 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-[0.875rem] text-clove">
        {order.placedAt && <span className="figures">Placed {dayText(order.placedAt)}</span>}
        <Badge status={order.status} />
      </p>
    </div>
  </div>
);

/** Takes the focus when the shopper cancels or returns the order, because that removes the focused button. */
const Title = ({ isEnded, children }: { readonly isEnded: boolean; readonly children: string }) => {
  const { success } = useSelector(selectOrder);
  const heading = useFocusWhenGone<HTMLHeadingElement>(isEnded && success);
  return (
    <h1 ref={heading} tabIndex={-1} className="display mt-8 text-display wrap-anywhere">
      {children}
    </h1>
  );
};

const StillPossible = ({ order }: Pick<PlacedOrderProps, 'order'>) => {
  const [now] = useState(() => instant(new Date().toISOString()));
  const state = useSelector(selectOrder);
  const getCallStatus = (operation: 'cancel' | 'return') => ({ busy: isPending(state, operation), failure: findFailure(state, operation) });
  if (mayBeCancelled(order)) return <CancelOrder id={order._id} isPaid={isPaid(order)} {...getCallStatus('cancel')} />;
  const back = findReturnWindow(order, now);
  if (back === undefined) return null;
  if (back.tooLate)
    return <p className="text-center text-[0.875rem] text-clove">It could be returned until {shortDayText(back.lastDay)}.</p>;
  return <ReturnOrder id={order._id} lastDay={back.lastDay} {...getCallStatus('return')} />;
};

const isPaid = ({ payment }: OrderView): boolean =>
  payment.status === 'paid' || payment.status === 'refunding' || payment.status === 'partly_refunded';

const showTimeline = (): void => document.getElementById(TIMELINE)?.focus();

/** Shows the expected or actual delivery, and nothing for an order that will not be delivered. */
const DeliveryCard = ({ order }: { readonly order: OrderView }) => {
  const deliveredAt = reachedAt(order, 'delivered');
  const { status, estimatedDelivery } = order;
  if (status === 'cancelled' || (deliveredAt === undefined && estimatedDelivery === null)) return null;
  const Icon = deliveredAt === undefined ? Truck : PackageCheck;
  return (
    <section className="flex flex-col gap-x-6 gap-y-4 border border-sandal p-6 sm:flex-row sm:items-center sm:justify-between sm:p-8">
      <div className="flex items-start gap-5">
        <Icon className="mt-1 size-7 text-gold-deep" strokeWidth={1.2} />
        <div>
          <h2 className="text-[0.875rem] text-clove">{deliveredAt === undefined ? 'Expected delivery' : 'Delivered'}</h2>
          <p className="display figures mt-0.5 text-h2">
            {deliveredAt === undefined ? estimatedDelivery && windowText(estimatedDelivery) : dayText(deliveredAt)}
          </p>
        </div>
      </div>
      <TextLink to={`#${TIMELINE}`} onClick={showTimeline}>
        Track your order
      </TextLink>
    </section>
  );
};

const OrderItems = ({ items }: Pick<OrderView, 'items'>) => (
  <section aria-labelledby="items-title">
    <h2 id="items-title" className="display text-h2">
      Your perfumes
    </h2>
    <ul className="mt-6 border-t border-sandal">
      {items.map((item) => (
        <Item key={item.product._id} item={item} />
      ))}
    </ul>
  </section>
);

const Item = ({ item: { product, quantity } }: { readonly item: OrderItemView }) => (
  <li className="flex gap-5 border-b border-sandal py-5 sm:gap-7">
    <Picture src={product.productImageUrl[0]} alt="" sizes="6rem" className="aspect-4/5 w-20 shrink-0 self-start object-cover sm:w-24" />
    <div className="flex min-w-0 flex-1 flex-col justify-center sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div className="min-w-0">
        <p className="display text-h3 wrap-anywhere">{product.name}</p>
        <p className="mt-1 text-[0.875rem] text-clove">{scentLine(product.details)}</p>
        <p className="figures mt-1 text-[0.875rem] text-clove">Quantity {quantity}</p>
      </div>
      <p className="figures font-medium max-sm:mt-2">{lineTotalText({ unitPrice: parsePrice(product.price), quantity })}</p>
    </div>
  </li>
);

const GiftBlock = ({ order }: { readonly order: OrderView }) => {
  const quoted = textsFor('shopper', order).filter(({ isQuoted }) => isQuoted);
  if (!order.giftWrap && quoted.length === 0) return null;
  return (
    <section className="flex gap-5 bg-floral p-6 sm:p-8">
      <Gift className="mt-1 size-6 text-floral-deep" strokeWidth={1.3} />
      <div className="min-w-0">
        {quoted.map(({ field, title, text }) => (
          <Fragment key={field}>
            <h2 className="text-[0.875rem] font-medium">{title}</h2>
            <p className="display mt-2 text-h3 leading-snug wrap-anywhere whitespace-pre-line italic">{text}</p>
          </Fragment>
        ))}
        {quoted.length === 0 && (
          <>
            <h2 className="text-[0.875rem] font-medium">{orderTexts.giftMessage.title}</h2>
            <p className="mt-2 text-clove">Wrapped as a gift, without a message.</p>
          </>
        )}
      </div>
    </section>
  );
};

const PlainTexts = ({ order }: { readonly order: OrderView }) =>
  textsFor('shopper', order)
    .filter(({ isQuoted }) => !isQuoted)
    .map(({ field, title, text }) => (
      <Fragment key={field}>
        <h2 className="display mt-10 text-h2">{title}</h2>
        <p className="mt-6 wrap-anywhere whitespace-pre-line text-clove">{text}</p>
      </Fragment>
    ));

type OrderReceiptProps = { readonly order: OrderView; readonly children: ReactNode };

const OrderReceipt = ({ order, children }: OrderReceiptProps) => {
  const totals = totalsOfOrder(order);
  return (
    <aside aria-labelledby="receipt" className="self-start lg:sticky lg:top-28 lg:has-[details[open]]:static">
      <div className="bg-paper p-6 sm:p-8">
        <h2 id="receipt" className="display mb-5 text-h3">
          Summary
        </h2>
        <TotalsList rows={rowsAfter(totals)} total={totals.total} />
        {order.paymentMethod && <Payment method={order.paymentMethod} />}
        <ExplainOrder key={order._id} order={order} />
        {reachedAt(order, 'shipped') && <TaxDocuments order={order} />}
      </div>
      <p className="mt-6 flex gap-3 text-[0.875rem] leading-relaxed text-clove">
        <Leaf className="size-5 text-khus" strokeWidth={1.5} />
        Packed without plastic: cotton paper, straw-board and a reusable cloth sleeve.
      </p>
      <div className="mt-6 flex flex-col gap-3">
        <ButtonLink to={pages.home} kind={order.payment.status === 'due' ? 'outline' : 'primary'} size="lg">
          Explore Collection
        </ButtonLink>
        <ButtonLink to={pages.myOrders} kind="outline" size="lg">
          View Order History
        </ButtonLink>
        {children}
      </div>
    </aside>
  );
};

/** Links to invoice and credit notes. The server waits a moment for them after the order has shipped or come back. */
const TaxDocuments = ({ order: { _id, status } }: { readonly order: OrderView }) => {
  const { data } = useInvoiceQuery({ _id, status }, { refetchOnMountOrArgChange: true });
  if (!data) return null;
  const taxDocuments = [
    { name: `Invoice ${data.number}`, file: 'invoice.pdf' },
    ...data.creditNotes.map(({ number }, index) => ({ name: `Credit note ${number}`, file: `credit-notes/${index + 1}.pdf` })),
  ];
  return (
    <ul className="mt-3 border-t border-sandal pt-2">
      <li>
        <TextLink to={invoicePath(_id)} size="sm">
          View and print the invoice
        </TextLink>
      </li>
      {taxDocuments.map(({ name, file }) => (
        <li key={name}>
          <FileLink name={name} href={taxDocumentFile(_id, file)} className="min-h-11 text-[0.875rem] font-medium">
            {name}
          </FileLink>
        </li>
      ))}
    </ul>
  );
};

const Payment = ({ method }: { readonly method: keyof typeof methods }) => {
  const { label, icon: Icon } = methods[method];
  return (
    <p className="mt-3 flex items-center gap-2 text-[0.875rem] text-clove">
      <Icon className="size-4" strokeWidth={1.5} />
      Payment: {label}
    </p>
  );
};
