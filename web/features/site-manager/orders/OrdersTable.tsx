import { AlarmClock, ArrowDown, ArrowUp, Check, MailWarning } from 'lucide-react';
import { Link } from 'react-router-dom';
import { dayText, momentText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { cx } from '../../../ui/cx.ts';
import { Picture } from '../../../ui/Picture.tsx';
import type { AdminOrder } from '../admin-types.ts';
import { deedWords, isOverdue, nextDeed } from './next-deed.ts';
import { findReturnDeed } from './OrderReturns.tsx';
import { PackingMarks, PaymentMark, StatusMark } from './order-marks.tsx';
import { Tick } from '../Tick.tsx';
import type { Selection } from './use-selection.ts';

export type RowActions = {
  readonly selection: Selection;
  /** Whether an order is in another list by now, and only keeps its place here. */
  readonly hasLeft: (order: AdminOrder) => boolean;
  /** The order that the keys act on, and the one that is open beside the list. */
  readonly cursor: string | undefined;
  readonly opened: string | undefined;
  readonly addressOf: (order: AdminOrder) => string;
  /** Undefined for members who move no orders. */
  readonly onNext: ((order: AdminOrder) => void) | undefined;
  readonly isOldestFirst: boolean;
  readonly onSort: () => void;
};

type OrdersTableProps = RowActions & { readonly orders: readonly AdminOrder[] };

const WIDE_ONLY = 'max-[87.5rem]:hidden';
const NARROW_ONLY = 'min-[87.5rem]:hidden';
const HEAD = 'py-2.5 pr-4 text-left text-[0.8125rem] font-medium text-clove';

/** Orders as dense rows; on narrow screens as ruled ones of four lines. */
export const OrdersTable = (props: OrdersTableProps) => {
  const isWide = useMedia('(min-width: 64rem)');
  return isWide ? <Table {...props} /> : <PhoneRows {...props} />;
};

const Table = ({ orders, ...actions }: OrdersTableProps) => {
  const { selection, hasLeft, isOldestFirst, onSort } = actions;
  const listed = orders.filter((order) => !hasLeft(order));
  const isAll = listed.every(({ _id }) => selection.has(_id));
  const Arrow = isOldestFirst ? ArrowUp : ArrowDown;
  return (
    <table className="mt-3 w-full">
      <caption className="sr-only">Orders, {isOldestFirst ? 'oldest' : 'newest'} first</caption>
      {/* The rules of a sticky head are shadows, since collapsed borders do not travel with it. */}
      <thead className="sticky top-30 z-10 bg-ivory xl:top-16">
        <tr className="shadow-[inset_0_1px_0_var(--color-ink),inset_0_-1px_0_var(--color-sandal)]">
          <th scope="col" className="w-11">
            <Tick
              label="Select all shown"
              isOn={isAll}
              isMixed={!isAll && selection.orders.length > 0}
              onTick={() => selection.set(isAll ? [] : listed)}
              className="h-11 w-11 items-center pl-3"
            />
          </th>
          <th scope="col" className={HEAD}>
            Order
          </th>
          <th scope="col" aria-sort={isOldestFirst ? 'ascending' : 'descending'} className={cx(HEAD, WIDE_ONLY)}>
            <button type="button" onClick={onSort} className="inline-flex min-h-8 items-center gap-1 font-medium text-ink">
              <span>Placed</span>
              <Arrow className="size-3.5" strokeWidth={1.5} />
            </button>
          </th>
          <th scope="col" className={HEAD}>
            Customer
          </th>
          <th scope="col" className={cx(HEAD, WIDE_ONLY)}>
            City
          </th>
          <th scope="col" className={cx(HEAD, 'w-[24%]')}>
            Items
          </th>
          <th scope="col" className={cx(HEAD, 'pr-5! text-right!')}>
            Total
          </th>
          <th scope="col" className={cx(HEAD, WIDE_ONLY)}>
            Payment
          </th>
          <th scope="col" className={HEAD}>
            Status
          </th>
          <th scope="col" className={HEAD}>
            Next
          </th>
        </tr>
      </thead>
      <tbody className="figures">
        {orders.map((order) => (
          <Row key={order._id} order={order} {...actions} />
        ))}
      </tbody>
    </table>
  );
};

type RowProps = RowActions & { readonly order: AdminOrder };

const isMarked = ({ order: { orderNumber }, cursor, opened }: RowProps): boolean => orderNumber === cursor || orderNumber === opened;

const NumberLink = ({ order, addressOf, opened, className }: RowProps & { readonly className: string }) => (
  <Link
    to={addressOf(order)}
    state={{ stay: true }}
    data-open
    aria-current={order.orderNumber === opened ? 'true' : undefined}
    className={cx('figures inline-flex items-center font-semibold tracking-[0.01em] whitespace-nowrap hover:text-oxblood', className)}
  >
    {order.orderNumber}
  </Link>
);

const placedText = ({ placedAt }: AdminOrder): string => (placedAt ? momentText(placedAt).replace(/ \d{4}/, '') : '');

const Placed = ({ order }: { readonly order: AdminOrder }) =>
  isOverdue(order) ? (
    <span className="inline-flex items-center gap-1.5 text-sindoor">
      <span>{order.placedAt && dayText(order.placedAt).replace(/ \d{4}$/, '')}</span>
      <span className="inline-flex items-center gap-1 text-xs font-medium">
        <AlarmClock className="size-3.5" strokeWidth={2} />
        <span>late</span>
      </span>
    </span>
  ) : (
    <span>{placedText(order)}</span>
  );

const Customer = ({ order: { shippingAddress, mailProblem } }: { readonly order: AdminOrder }) => (
  <span className="flex items-center gap-1.5">
    <bdi className="truncate">{shippingAddress.name}</bdi>
    {mailProblem && (
      <span className="shrink-0 text-sindoor" title="A mail could not be delivered">
        <MailWarning className="size-4" strokeWidth={1.8} />
        <span className="sr-only">A mail could not be delivered</span>
      </span>
    )}
  </span>
);

const ItemsLine = ({ order: { items } }: { readonly order: AdminOrder }) => {
  const [first] = items;
  if (!first) return null;
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Picture src={first.product.productImageUrl[0]} alt="" sizes="24px" className="aspect-4/5 w-6 shrink-0 object-cover" />
      <span className="min-w-0 truncate">{first.product.name}</span>
      {items.length > 1 ? (
        <span className="figures -ml-1 shrink-0 text-clove">
          +{items.length - 1}
          <span className="sr-only"> more</span>
        </span>
      ) : (
        first.quantity > 1 && <span className="figures -ml-1 shrink-0 text-clove">× {first.quantity}</span>
      )}
    </span>
  );
};

const TickOf = ({ order, selection, className }: RowProps & { readonly className: string }) => (
  <Tick
    label={`Select ${order.orderNumber}`}
    isOn={selection.has(order._id)}
    onTick={(withShift) => selection.toggle(order, withShift)}
    className={className}
  />
);

const Row = (props: RowProps) => {
  const { order, selection, opened } = props;
  return (
    <tr
      data-row={order._id}
      className={cx(
        'h-11 border-b border-sandal/70 text-[0.875rem]',
        selection.has(order._id) || order.orderNumber === opened ? 'bg-white' : 'hover:bg-white',
        isMarked(props) && 'shadow-[inset_3px_0_0_var(--color-oxblood)]',
      )}
    >
      <td className="w-11">
        <TickOf {...props} className="h-11 w-11 items-center pl-3" />
      </td>
      <td className="pr-4">
        <NumberLink {...props} className="min-h-8" />
        <span className={cx('block pb-1.5 text-xs text-clove', NARROW_ONLY)}>
          <Placed order={order} />
        </span>
      </td>
      <td className={cx('pr-4 whitespace-nowrap text-clove', WIDE_ONLY)}>
        <Placed order={order} />
      </td>
      <td className="max-w-36 pr-4">
        <Customer order={order} />
        <bdi className={cx('block truncate text-xs text-clove', NARROW_ONLY)}>{order.shippingAddress.city}</bdi>
      </td>
      <td className={cx('max-w-28 truncate pr-4 text-clove', WIDE_ONLY)}>
        <bdi>{order.shippingAddress.city}</bdi>
      </td>
      <td className="max-w-0 pr-2">
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1">
            <ItemsLine order={order} />
          </span>
          <PackingMarks order={order} />
        </span>
      </td>
      <td className="pr-5 text-right font-medium whitespace-nowrap">
        {moneyText(order.total)}
        <span className={cx('mt-0.5 block text-xs font-normal', NARROW_ONLY)}>
          <PaymentMark order={order} />
        </span>
      </td>
      <td className={cx('pr-4', WIDE_ONLY)}>
        <PaymentMark order={order} />
      </td>
      <td className="pr-4">
        <StatusMark order={order} />
      </td>
      <td className="w-22">
        <Next
          {...props}
          className="-ml-2 inline-flex min-h-9 items-center px-2 text-[0.875rem] font-medium whitespace-nowrap text-oxblood hover:text-garnet"
          wordClass="link"
        />
      </td>
    </tr>
  );
};

type NextProps = RowProps & { readonly className: string; readonly wordClass?: string };

/** What comes next with the order, or with what is to come back of it. */
const Next = ({ order, hasLeft, onNext, className, wordClass }: NextProps) => {
  if (hasLeft(order)) return <Left />;
  const next = onNext && nextDeed(order);
  const back = onNext && findReturnDeed(order);
  if (next)
    return (
      <button
        type="button"
        aria-label={`${deedWords[next].action} ${order.orderNumber}`}
        onClick={() => onNext(order)}
        className={className}
      >
        <span className={wordClass}>{deedWords[next].action}</span>
      </button>
    );
  if (!back) return null;
  return (
    <Link to={back.to} aria-label={`${back.action} return of ${order.orderNumber}`} className={className}>
      <span className={wordClass}>{back.action}</span>
    </Link>
  );
};

const Left = () => (
  <span className="inline-flex items-center gap-1.5 text-[0.8125rem] text-khus-deep">
    <Check className="size-4" strokeWidth={2} />
    <span>Moved on</span>
  </span>
);

const PhoneRows = ({ orders, ...actions }: OrdersTableProps) => (
  <ul aria-label="Orders" className="mt-2 border-t border-ink/80">
    {orders.map((order) => (
      <PhoneRow key={order._id} order={order} {...actions} />
    ))}
  </ul>
);

const PhoneRow = (props: RowProps) => {
  const { order, selection } = props;
  return (
    <li
      data-row={order._id}
      className={cx(
        'border-b border-sandal/70 py-3',
        selection.has(order._id) && '-mx-gutter bg-white px-gutter shadow-[inset_3px_0_0_var(--color-oxblood)]',
      )}
    >
      <div className="flex gap-1">
        <TickOf {...props} className="-mt-2.5 -ml-3 size-11 shrink-0 items-center justify-center" />
        <div className="min-w-0 flex-1">
          <p className="flex items-baseline justify-between gap-3">
            <NumberLink {...props} className="min-h-6" />
            <span className="figures font-medium">{moneyText(order.total)}</span>
          </p>
          <div className="mt-0.5 flex items-baseline justify-between gap-3 text-[0.875rem]">
            <span className="flex min-w-0 gap-1">
              <Customer order={order} />
              <bdi className="truncate text-clove">{order.shippingAddress.city}</bdi>
            </span>
            <span className="figures shrink-0 text-[0.8125rem] text-clove">
              <Placed order={order} />
            </span>
          </div>
          <div className="mt-2 flex items-center gap-2 text-[0.875rem]">
            <span className="min-w-0 flex-1">
              <ItemsLine order={order} />
            </span>
            <PackingMarks order={order} />
          </div>
        </div>
      </div>
      <div className="mt-2.5 flex flex-wrap items-center gap-3 pl-9 text-[0.8125rem]">
        <StatusMark order={order} />
        <span className="min-w-0 flex-1">
          <PaymentMark order={order} />
        </span>
        <Next
          {...props}
          className="inline-flex min-h-11 items-center justify-center rounded-xs border border-teak px-4 text-[0.875rem] leading-none font-medium whitespace-nowrap hover:border-ink hover:bg-ink/4"
        />
      </div>
    </li>
  );
};
