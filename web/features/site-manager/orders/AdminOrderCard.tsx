import { ChevronDown, ChevronUp, MapPin } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { textsFor } from '#domain/order/texts.ts';
import { isOnItsWay, isToMove, leadsToShopper, nextForStaff, type OrderStatus, type StaffStatus } from '#domain/order/rules.ts';
import type { Source } from '#domain/order/explain.ts';
import { isUnreachable, type OrderItemView, type OrderView } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { dayText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { createMailto } from '../../../lib/mailto.ts';
import { Button } from '../../../ui/Button.tsx';
import { ExplainAmounts, ExplainedAmounts } from '../../../ui/ExplainedAmounts.tsx';
import { FileLink } from '../../../ui/FileLink.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { TextButton, TextLink } from '../../../ui/TextLink.tsx';
import type { AdminOrder } from '../admin-types.ts';
import { useExplanationQuery } from '../admin-api.ts';
import { useMay } from '../use-may.ts';
import { GiftWrapLine, StatusMark } from './order-marks.tsx';
import { OrderPayment } from './OrderPayment.tsx';
import { OrderReturns } from './OrderReturns.tsx';
import { OrderShipment } from './OrderShipment.tsx';
import { Tick } from '../Tick.tsx';
import type { Selection } from './use-selection.ts';
import { isWayOut, staffTransitions } from './order-transitions.ts';

/** A card shows this many items before it is expanded. */
const ITEMS_SHOWN = 2;

const INVOICED: ReadonlySet<OrderStatus> = new Set(['shipped', 'delivered', 'returned']);

export type OrderTask =
  | { readonly name: 'move'; readonly to: StaffStatus }
  | { readonly name: 'pack'; readonly packed: boolean }
  | { readonly name: 'email' }
  | { readonly name: 'shipment' }
  | { readonly name: 'refund' }
  | { readonly name: 'cash refund' }
  | { readonly name: 'cash' };

type AdminOrderCardProps = { readonly order: AdminOrder; readonly onTask: (task: OrderTask) => void };

export const AdminOrderCard = ({ order, selection, onTask }: AdminOrderCardProps & { readonly selection: Selection }) => (
  <article
    data-row={order._id}
    aria-label={`Order ${order.orderNumber}`}
    className="flex flex-col rounded-sm border border-sandal bg-white"
  >
    <header className="flex items-start gap-1 p-4 pl-1">
      <Tick
        label={`Select ${order.orderNumber}`}
        isOn={selection.has(order._id)}
        onTick={(withShift) => selection.toggle(order, withShift)}
        className="size-11 shrink-0 items-center justify-center"
      />
      <div className="min-w-0 flex-1">
        <h3 className="figures text-[1.0625rem] font-semibold tracking-[0.01em]">{order.orderNumber}</h3>
        {order.placedAt && <p className="mt-0.5 text-[0.8125rem] text-clove">{dayText(order.placedAt)}</p>}
      </div>
      <StatusMark order={order} />
    </header>
    <Items items={order.items} />
    {order.giftWrap && <GiftWrapLine />}
    {isUnreachable(order) ? <LostAddress {...order.shippingAddress} /> : <Address order={order} />}
    {lacksState(order) && (
      <p className="flex gap-2 border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed">
        <MapPin className="mt-0.5 size-4 shrink-0 text-kesar" strokeWidth={1.8} />
        The state of delivery is unknown. The invoice needs it: you are asked when you mark the order shipped.
      </p>
    )}
    <OrderShipment order={order} onCorrect={() => onTask({ name: 'shipment' })} />
    {order.mailProblem && <MailProblem {...order} problem={order.mailProblem} onCorrect={() => onTask({ name: 'email' })} />}
    {!isUnreachable(order) &&
      textsFor('desk', order).map(({ field, title, text }) => (
        <p key={field} className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed wrap-anywhere whitespace-pre-line">
          <span className="font-medium">{title}:</span> {text}
        </p>
      ))}
    <OrderPayment
      order={order}
      onRefund={() => onTask({ name: 'refund' })}
      onCashRefund={() => onTask({ name: 'cash refund' })}
      onCash={() => onTask({ name: 'cash' })}
    />
    <OrderReturns order={order} />
    <footer className="mt-auto border-t border-sandal/70 p-5">
      <div className="flex items-center justify-between">
        <p className="figures text-[1.0625rem] font-semibold">{moneyText(order.total)}</p>
        <TextLink to={`/order-confirmed/${order._id}`} aria-label={`View Details of ${order.orderNumber}`} size="sm">
          View Details →
        </TextLink>
      </div>
      <Explained order={order} />
      <Papers order={order} />
      <Moves order={order} onTask={onTask} />
      <EraseLink order={order} />
    </footer>
  </article>
);

type OrderProps = { readonly order: AdminOrder };

export const Papers = ({ order }: OrderProps) => {
  const may = useMay();
  const mayPack = may('customers') && !isUnreachable(order);
  return (
    <div className="flex flex-wrap gap-x-6">
      {mayPack && (
        <FileLink
          name={`Packing slip of ${order.orderNumber}`}
          href={`/api/admin/order/${order._id}/packing-slip.pdf`}
          className="min-h-11 text-[0.875rem] font-medium"
        >
          Packing slip
        </FileLink>
      )}
      {mayPack && (
        <FileLink
          name={`Label of ${order.orderNumber}`}
          href={`/api/admin/order/${order._id}/label.pdf`}
          className="min-h-11 text-[0.875rem] font-medium"
        >
          Label
        </FileLink>
      )}
      {may('invoices') && INVOICED.has(order.status) && (
        <TextLink to={pages.invoice.replace(':id', order._id)} aria-label={`Invoice of ${order.orderNumber}`} size="sm">
          Invoice
        </TextLink>
      )}
    </div>
  );
};

const customerLink = ({ _id }: AdminOrder): string => `?panel=customers&open=${_id}`;

/** Leads to the customer, whose data are erased with a reason. */
export const EraseLink = ({ order }: OrderProps) =>
  useMay()('customers') &&
  order.guest &&
  !isOnItsWay(order.status) &&
  !isUnreachable(order) && (
    <TextLink to={customerLink(order)} aria-label={`Erase personal data of ${order.orderNumber}`} size="sm" className="mt-2">
      Erase personal data
    </TextLink>
  );

/** Describes the events that amounts come from in the staff's words. */
const words: Readonly<Record<string, string>> = {
  OrderCreated: 'The checkout',
  OrderRevised: 'The checkout, as the shopper changed it',
  PaymentCaptured: 'The payment that the gateway took',
  CashCollected: 'The cash that the courier brought',
  RefundSettled: 'The refund that the gateway made',
};

export const Explained = ({ order }: OrderProps) => (
  <ExplainAmounts of={order.orderNumber ?? undefined}>
    <ExplainedOrder order={order} />
  </ExplainAmounts>
);

const ExplainedOrder = ({ order: { _id, orderNumber } }: OrderProps) => {
  const mayAudit = useMay()('audit');
  const linkTo = ({ stream, revision }: Source) => ({
    to: pathWith(pages.audit, stream === `order-${_id}` ? { order: orderNumber ?? _id, at: String(revision) } : { stream }),
  });
  return (
    <ExplainedAmounts query={useExplanationQuery(_id)} wordsOf={({ type }) => words[type] ?? type} linkTo={mayAudit ? linkTo : undefined} />
  );
};

/** Returns whether the state of delivery can still be given. */
const lacksState = ({ placeOfSupply, status }: AdminOrder): boolean => placeOfSupply === null && isToMove(status);

type ItemsProps = { readonly items: readonly OrderItemView[]; readonly isWhole?: boolean };

export const Items = ({ items, isWhole = false }: ItemsProps) => {
  const [isOpen, setOpen] = useState(isWhole);
  const more = isWhole ? 0 : items.length - ITEMS_SHOWN;
  const Chevron = isOpen ? ChevronUp : ChevronDown;
  return (
    <ul className="space-y-3 border-t border-sandal/70 px-5 py-4">
      {(isOpen ? items : items.slice(0, ITEMS_SHOWN)).map((item) => (
        <Item key={item.product._id} {...item} />
      ))}
      {more > 0 && (
        <li>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1.5 inline-flex min-h-8 items-center gap-1 rounded-xs px-1.5 text-[0.875rem] font-medium hover:bg-ink/5"
          >
            {isOpen ? 'Show fewer' : `+ ${more} more items`}
            <Chevron className="size-4" strokeWidth={1.5} />
          </button>
        </li>
      )}
    </ul>
  );
};

const Item = ({ product, quantity }: OrderItemView) => (
  <li className="flex items-center gap-3">
    <Picture src={product.productImageUrl[0]} alt="" sizes="40px" className="aspect-4/5 w-10 rounded-xs object-cover" />
    <span className="min-w-0 flex-1 text-[0.9375rem] leading-tight wrap-anywhere">
      {product.name}
      <span className="figures block text-[0.8125rem] text-clove">
        {quantity} x {product.price}
      </span>
    </span>
  </li>
);

type AddressProps = OrderProps & { readonly hasEmail?: boolean };

/** The name leads to the customer. */
export const Address = ({ order, hasEmail = false }: AddressProps) => {
  const { name, phone, email, address1, address2, city, state, country, postalCode } = order.shippingAddress;
  const maySeeCustomers = useMay()('customers');
  return (
    <address className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed text-clove not-italic wrap-anywhere">
      {/* Name and number are isolated, because a right-to-left name would reverse a number beside it. */}
      <bdi className="font-medium text-ink">
        {maySeeCustomers ? (
          <Link to={customerLink(order)} className="link">
            {name}
          </Link>
        ) : (
          name
        )}
      </bdi>{' '}
      <bdi className="figures whitespace-nowrap">{phone}</bdi>
      <br />
      {[address1, address2].filter(Boolean).join(', ')}
      <br />
      <bdi>{[city, state, country].filter(Boolean).join(', ')}</bdi> <bdi className="figures">{postalCode}</bdi>
      {hasEmail && (
        <a href={createMailto(email)} className="link flex min-h-11 w-fit items-center lg:min-h-8">
          {email}
        </a>
      )}
    </address>
  );
};

type MailProblemProps = Pick<OrderView, 'orderNumber'> & {
  readonly problem: NonNullable<AdminOrder['mailProblem']>;
  readonly onCorrect: () => void;
};

export const MailProblem = ({ orderNumber, problem: { to, reason, at }, onCorrect }: MailProblemProps) => {
  const mayCorrect = useMay()('customers');
  return (
    <div className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed">
      <p className="wrap-anywhere text-sindoor">
        <span className="font-medium">A mail did not reach {to ?? 'the shopper'}.</span> {reason}. It was given up on {dayText(at)}.
      </p>
      {mayCorrect && to !== null && (
        <TextButton aria-label={`Correct the address of ${orderNumber}`} onClick={onCorrect} size="sm">
          Correct and send again
        </TextButton>
      )}
    </div>
  );
};

/** Every field of a lost address has the same text, so it is shown once. */
export const LostAddress = ({ name }: OrderView['shippingAddress']) => (
  <p className="border-t border-sandal/70 px-5 py-4 text-[0.875rem] leading-relaxed text-clove">{name}</p>
);

type MovesProps = AdminOrderCardProps;

/** The allowed transitions; the usual one is the primary button. The server confirms and ships a prepaid order only when it is paid, and none to nobody. */
export const Moves = ({ order, onTask }: MovesProps) => {
  const why = useId();
  const mayMove = useMay()('customers');
  const next = nextForStaff(order.status).filter((status) => !isUnreachable(order) || !leadsToShopper(status));
  const isRefunded = order.payment.status === 'refunded';
  const waits = (status: StaffStatus): boolean =>
    (isRefunded || order.payment.status === 'due') && isToMove(order.status) && !isWayOut(status);
  if (!mayMove || next.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {next.some(waits) && (
        <p id={why} className="w-full text-[0.875rem] text-clove">
          {isRefunded ? 'It was refunded in full.' : `It waits for the payment of ${moneyText(order.payment.amount)}.`}
        </p>
      )}
      {order.status === 'confirmed' && !isUnreachable(order) && (
        <Button
          kind="outline"
          aria-label={`${order.packedAt === null ? 'Mark packed' : 'Not packed yet'}: ${order.orderNumber}`}
          onClick={() => onTask({ name: 'pack', packed: order.packedAt === null })}
        >
          {order.packedAt === null ? 'Mark packed' : 'Not packed yet'}
        </Button>
      )}
      {next.map((status) => (
        <Button
          key={status}
          kind={isWayOut(status) ? 'outline' : 'primary'}
          aria-label={`${staffTransitions[status].action}: ${order.orderNumber}`}
          disabled={waits(status)}
          aria-describedby={waits(status) ? why : undefined}
          onClick={() => onTask({ name: 'move', to: status })}
          className={status === 'cancelled' ? undefined : 'flex-1'}
        >
          {staffTransitions[status].action}
        </Button>
      ))}
    </div>
  );
};
