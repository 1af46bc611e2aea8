import { Gift, Leaf, Star, Undo2 } from 'lucide-react';
import { type ComponentType, Fragment, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useSelector } from 'react-redux';
import { generatePath, Link } from 'react-router-dom';
import { orderTexts, textsFor } from '#domain/order/texts.ts';
import type { OrderItemView, OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { instant, type Instant } from '#domain/shared/time.ts';
import { parsePrice } from '#domain/shared/money.ts';
import { moneyText } from '../../../lib/format.ts';
import { scentLine } from '../../../lib/scent-line.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { FileLink } from '../../../ui/FileLink.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { Address } from '../Address.tsx';
import { useInvoiceQuery } from '../order-api.ts';
import { invoicePath, ITEMS, taxDocumentFile } from '../order-paths.ts';
import { findFailure, isPending, selectOrder } from '../order-slice.ts';
import { listWay, returnedText, tellOrder } from '../order-story.ts';
import { findPaymentMinutes, methods } from '../payment-methods.ts';
import { PaymentSection } from '../payment/PaymentSection.tsx';
import { rowsAfter, TotalsList } from '../summary/TotalsList.tsx';
import { lineTotalText, totalsOfOrder } from '../summary/summary-lines.ts';
import { BuyAgain } from './BuyAgain.tsx';
import { CancelOrder, EraseGuest } from './OrderActions.tsx';
import { DownloadReceipt } from './DownloadReceipt.tsx';
import { ExplainOrder } from './ExplainOrder.tsx';
import { OrderHead } from './OrderHead.tsx';
import { ReturnOrder } from './ReturnOrder.tsx';
import { mayBeCancelled, reachedAt, findReturnWindow } from './order-dates.ts';

/** A newsletter form, passed in by `app`, because the orders feature must not import the newsletter. */
export type NewsletterSlot = ComponentType;

type PlacedOrderProps = {
  readonly order: OrderView;
  readonly Newsletter: NewsletterSlot | undefined;
  readonly onErased: ((message: string) => void) | undefined;
  readonly returnsTo: readonly string[];
  /** Only accounts may review what they have bought. */
  readonly mayReview: boolean;
  /** Some of the staff may read the invoices of others' orders. */
  readonly readsInvoices: boolean;
};

export const PlacedOrder = ({ order, Newsletter, onErased, returnsTo, mayReview, readsInvoices }: PlacedOrderProps) => {
  const [now] = useState(() => instant(new Date().toISOString()));
  const story = tellOrder(order, now, findPaymentMinutes());
  usePageTitle(story.title);
  const { byLink, asStaff } = useSelector(selectOrder);
  const isOthers = asStaff.includes(order._id);
  const isOwn = !isOthers && !byLink.includes(order._id);
  const isReturn = order.return !== null && order.return.status !== 'refused';
  return (
    <>
      <OrderHead order={order} story={story} returnsTo={returnsTo} BuyAgain={!isOthers && <BuyAgain order={order} size="lg" />}>
        {!isOthers && <StillPossible order={order} now={now} />}
      </OrderHead>
      <div className="page-x grid gap-x-16 gap-y-12 py-block lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0 space-y-10">
          <OrderItems order={order} mayReview={mayReview && isOwn && order.status === 'delivered'} />
          <GiftBlock order={order} />
          <div className="grid gap-x-10 gap-y-10 sm:grid-cols-2">
            <section>
              <h2 className="display text-h3">Shipping address</h2>
              <div className="mt-3">
                <Address of={order.shippingAddress} />
              </div>
            </section>
            <PlainTexts order={order} />
          </div>
          {isReturn && <BeforeReturn order={order} />}
        </div>
        <OrderReceipt order={order} hasInvoice={readsInvoices || !isOthers}>
          {onErased && isOwn && <EraseGuest order={order} onErased={onErased} />}
        </OrderReceipt>
      </div>
      {Newsletter && <Newsletter />}
    </>
  );
};

const StillPossible = ({ order, now }: Pick<PlacedOrderProps, 'order'> & { readonly now: Instant }) => {
  const state = useSelector(selectOrder);
  const getCallStatus = (operation: 'cancel' | 'return') => ({ busy: isPending(state, operation), failure: findFailure(state, operation) });
  if (mayBeCancelled(order)) return <CancelOrder order={order} {...getCallStatus('cancel')} />;
  const back = findReturnWindow(order, now);
  const isOpen = order.return?.status === 'requested' || order.return?.status === 'accepted';
  if (back === undefined || back.tooLate || isOpen) return null;
  return <ReturnOrder order={order} lastDay={back.lastDay} {...getCallStatus('return')} />;
};

/** Lists the steps of an order before it was to come back. */
const BeforeReturn = ({ order }: Pick<PlacedOrderProps, 'order'>) => (
  <section className="border-t border-sandal pt-6">
    <h2 className="display text-h3">Before the return</h2>
    <ol className="figures mt-3 grid gap-x-8 gap-y-1 text-[0.9375rem] text-clove sm:grid-cols-2">
      {listWay(order).steps.map(({ title, detail }) => (
        <li key={title} className="flex justify-between gap-4 border-b border-sandal/60 py-2">
          <span>{title}</span>
          <span>{detail}</span>
        </li>
      ))}
    </ol>
  </section>
);

const OrderItems = ({ order, mayReview }: Pick<PlacedOrderProps, 'order' | 'mayReview'>) => (
  <section id={ITEMS} aria-labelledby="items-title">
    <h2 id="items-title" className="display text-h2">
      Your perfumes
    </h2>
    <ul className="mt-5 border-t border-sandal">
      {order.items.map((item) => (
        <Item key={item.product._id} item={item} returned={returnedOf(order, item)} mayReview={mayReview} />
      ))}
    </ul>
  </section>
);

/** Returns `1 of 2 comes back` for a line of the newest return. */
const returnedOf = ({ return: back }: OrderView, { product, quantity }: OrderItemView): string | undefined => {
  const line = back && back.status !== 'refused' ? back.lines.find(({ productId }) => productId === product._id) : undefined;
  return line && `${line.quantity} of ${quantity} ${back?.status === 'received' ? 'came' : line.quantity === 1 ? 'comes' : 'come'} back`;
};

type ItemProps = Pick<PlacedOrderProps, 'mayReview'> & { readonly item: OrderItemView; readonly returned: string | undefined };

const Item = ({ item: { product, quantity }, returned, mayReview }: ItemProps) => (
  <li className="flex gap-5 border-b border-sandal py-5 sm:gap-7">
    <Picture src={product.productImageUrl[0]} alt="" sizes="6rem" className="aspect-4/5 w-20 shrink-0 self-start object-cover sm:w-24" />
    <div className="min-w-0 flex-1">
      <div className="sm:flex sm:items-start sm:justify-between sm:gap-6">
        <div className="min-w-0">
          <p className="display text-h3 wrap-anywhere">
            <Link to={generatePath(pages.product, { productId: product._id })} className="hover:text-oxblood">
              {product.name}
            </Link>
          </p>
          <p className="mt-0.5 text-[0.875rem] wrap-anywhere text-clove">{scentLine(product.details)}</p>
          <p className="figures mt-1 text-[0.875rem] text-clove">
            Quantity {quantity} × {product.price}
          </p>
        </div>
        <p className="figures font-medium max-sm:mt-2">{lineTotalText({ unitPrice: parsePrice(product.price), quantity })}</p>
      </div>
      {returned !== undefined && (
        <p className="mt-3 inline-flex items-center gap-2 rounded-xs bg-ash px-2.5 py-1 text-[0.8125rem] font-medium text-ash-deep">
          <Undo2 className="size-3.5" strokeWidth={2} />
          <span>{returned}</span>
        </p>
      )}
      {mayReview && (
        <TextLink to={`${generatePath(pages.product, { productId: product._id })}#write-review`} size="sm" className="mt-2">
          <Star className="size-4 text-clove" strokeWidth={1.5} />
          <span>
            Write a review<span className="sr-only"> of {product.name}</span>
          </span>
        </TextLink>
      )}
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
      <section key={field}>
        <h2 className="display text-h3">{title}</h2>
        <p className="mt-3 leading-[1.7] wrap-anywhere whitespace-pre-line text-clove">{text}</p>
      </section>
    ));

type OrderReceiptProps = { readonly order: OrderView; readonly hasInvoice: boolean; readonly children: ReactNode };

const OrderReceipt = ({ order, hasInvoice, children }: OrderReceiptProps) => {
  const totals = totalsOfOrder(order);
  return (
    <aside aria-labelledby="receipt" className="self-start lg:sticky lg:top-28 lg:has-[details[open]]:static">
      <div key={order._id} className="bg-paper p-6 sm:p-8">
        <h2 id="receipt" className="display mb-5 text-h3">
          Summary
        </h2>
        <TotalsList rows={rowsAfter(totals)} total={totals.total} />
        {order.paymentMethod && <Payment method={order.paymentMethod} />}
        <PaymentSection order={order} />
        {order.return && order.return.status !== 'refused' && (
          <p className="figures mt-4 flex justify-between gap-4 border-t border-sandal pt-4 text-[0.9375rem] font-medium">
            <span>{returnedText(order, order.return)}</span>
            <span>{moneyText(order.return.value)}</span>
          </p>
        )}
        <ExplainOrder order={order} />
        {hasInvoice && reachedAt(order, 'shipped') && <TaxDocuments order={order} />}
        <DownloadReceipt order={order} />
      </div>
      <p className="mt-6 flex gap-3 text-[0.875rem] leading-relaxed text-clove">
        <Leaf className="size-5 text-khus" strokeWidth={1.5} />
        Packed without plastic: cotton paper, straw-board and a reusable cloth sleeve.
      </p>
      <div className="mt-6 flex flex-col gap-3">
        <ButtonLink to={pages.home} kind="outline" size="lg">
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

/** The server waits up to two seconds for a paper. If it comes later, it is asked for this many times again. */
const RETRIES = 4;
const RETRY_MS = 3_000;

/** Links to invoice and credit notes, which come a moment after the order has shipped or come back. */
const TaxDocuments = ({ order: { _id, status, returns } }: { readonly order: OrderView }) => {
  const received = returns.filter((each) => each.status === 'received').length;
  const { data, isFetching, refetch } = useInvoiceQuery({ _id, status, received }, { refetchOnMountOrArgChange: true });
  const asked = `${status} ${received}`;
  const [retried, setRetried] = useState({ asked, times: 0 });
  const times = retried.asked === asked ? retried.times : 0;
  // An order that was taken back by an earlier release has one note, and no return.
  const isAwaited = !data || data.creditNotes.length < Math.max(received, status === 'returned' ? 1 : 0);
  const again = useEffectEvent(() => {
    setRetried({ asked, times: times + 1 });
    void refetch();
  });
  useEffect(() => {
    if (!isAwaited || isFetching || times === RETRIES) return undefined;
    const timer = setTimeout(again, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, isFetching, times]);
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
