import { ChevronDown, ChevronUp, Gift, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId } from 'react';
import { textsFor } from '#domain/order/texts.ts';
import { isUnreachable } from '#domain/order/view.ts';
import { pages } from '#domain/site/pages.ts';
import { momentText, windowText } from '../../../lib/dates.ts';
import { moneyText } from '../../../lib/format.ts';
import { pathWith } from '../../../lib/path-with.ts';
import { useMedia } from '../../../lib/use-media.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TextLink } from '../../../ui/TextLink.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import type { AdminOrder } from '../admin-types.ts';
import { capitalised } from '../family-text.ts';
import { Address, EraseLink, Explained, Items, LostAddress, MailProblem, Moves, type OrderTask, Papers } from './AdminOrderCard.tsx';
import { StatusMark } from './order-marks.tsx';
import { useMay } from '../use-may.ts';
import { OrderPayment } from './OrderPayment.tsx';
import { OrderReturns } from './OrderReturns.tsx';
import { OrderShipment } from './OrderShipment.tsx';

type OrderDrawerProps = {
  readonly order: AdminOrder;
  readonly onTask: (task: OrderTask) => void;
  readonly onClose: () => void;
  /** Go to the order above and below in the list; undefined at its ends. */
  readonly onAbove: (() => void) | undefined;
  readonly onBelow: (() => void) | undefined;
};

/** A whole order beside its list. On wide screens the list stays usable; on others the order covers it. */
export const OrderDrawer = (props: OrderDrawerProps) => {
  const { onClose } = props;
  const isWide = useMedia('(min-width: 64rem)');
  const title = useId();
  const closeByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => closeByKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  const content = <Content {...props} titleId={title} />;
  if (!isWide)
    return (
      <Dialog open onEscape={onClose} aria-labelledby={title} className="m-0 flex h-full max-h-none w-full max-w-none flex-col bg-ivory">
        {content}
      </Dialog>
    );
  return (
    <div
      role="dialog"
      aria-labelledby={title}
      className="fixed inset-y-0 right-0 z-40 flex w-full max-w-[36rem] flex-col border-l border-sandal bg-ivory shadow-modal"
    >
      {content}
    </div>
  );
};

type ContentProps = OrderDrawerProps & { readonly titleId: string };

const takeFocus = (heading: HTMLElement | null): void => heading?.focus({ preventScroll: true });

const Content = ({ order, onTask, onClose, onAbove, onBelow, titleId }: ContentProps) => (
  <>
    <div className="border-b border-sandal px-5 py-3 sm:px-7">
      <div className="flex items-center gap-3">
        <h2
          id={titleId}
          key={order._id}
          ref={takeFocus}
          tabIndex={-1}
          className="figures text-[1.25rem] font-semibold tracking-[0.01em] outline-none"
        >
          <span className="sr-only">Order </span>
          {order.orderNumber}
        </h2>
        <StatusMark order={order} />
        <div className="-mr-2.5 ml-auto flex">
          <IconButton
            icon={ChevronUp}
            label="Order above"
            disabled={!onAbove}
            onClick={onAbove}
            className="disabled:text-teak max-sm:hidden"
          />
          <IconButton
            icon={ChevronDown}
            label="Order below"
            disabled={!onBelow}
            onClick={onBelow}
            className="disabled:text-teak max-sm:hidden"
          />
          <IconButton icon={X} label="Close" onClick={onClose} />
        </div>
      </div>
      <p className="figures -mt-0.5 text-[0.8125rem] text-clove">
        {order.placedAt && `Placed ${momentText(order.placedAt)}.`}
        {order.estimatedDelivery && ` Expected ${windowText(order.estimatedDelivery)}.`}
      </p>
    </div>
    <div className="flex-1 overflow-y-auto px-5 pb-8 sm:px-7">
      <ForPacking order={order} />
      <Items items={order.items} isWhole />
      <Sums order={order} />
      <Explained order={order} />
      {isUnreachable(order) ? <LostAddress {...order.shippingAddress} /> : <Address order={order} hasEmail />}
      <OrderShipment order={order} onCorrect={() => onTask({ name: 'shipment' })} />
      {order.mailProblem && <MailProblem {...order} problem={order.mailProblem} onCorrect={() => onTask({ name: 'email' })} />}
      <OrderPayment
        order={order}
        onRefund={() => onTask({ name: 'refund' })}
        onCashRefund={() => onTask({ name: 'cash refund' })}
        onCash={() => onTask({ name: 'cash' })}
      />
      <OrderReturns order={order} />
      <Papers order={order} />
      <History order={order} />
      <EraseLink order={order} />
    </div>
    <div className="border-t border-sandal px-5 pb-3.5 empty:hidden sm:px-7">
      <Moves order={order} onTask={onTask} />
    </div>
  </>
);

/** What the packing slip says. */
const ForPacking = ({ order }: { readonly order: AdminOrder }) => {
  const texts = isUnreachable(order) ? [] : textsFor('packer', order);
  if (!order.giftWrap && texts.length === 0) return null;
  return (
    <section aria-label="For the packing room" className="mt-5 flex gap-4 bg-floral px-5 py-4">
      <Gift className="mt-1 size-5 shrink-0 text-floral-deep" strokeWidth={1.5} />
      <div className="min-w-0 space-y-2">
        {order.giftWrap && <p className="text-[0.9375rem] font-medium">Gift wrap</p>}
        {texts.map(({ field, title, text }) => (
          <div key={field}>
            <p className="text-[0.8125rem] font-medium">{title}</p>
            <p className="display mt-0.5 text-[1.25rem] leading-snug wrap-anywhere whitespace-pre-line italic">{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
};

const Sums = ({ order }: { readonly order: AdminOrder }) => {
  const { subtotal, total, tax, shipping, discount } = order;
  const wrap = Math.round((total - subtotal - tax - shipping + discount) * 100) / 100;
  const rows: readonly (readonly [string, number])[] = [
    ['Subtotal', subtotal],
    ...(order.giftWrap ? [['Gift Wrap', wrap] as const] : []),
    ['Tax', tax],
  ];
  return (
    <dl className="figures mt-3 space-y-1 text-[0.875rem]">
      {rows.map(([name, amount]) => (
        <Sum key={name} name={name} className="flex justify-between">
          {moneyText(amount)}
        </Sum>
      ))}
      <Sum name="Total" className="flex items-baseline justify-between border-t border-sandal pt-2 text-[1rem] font-semibold text-ink">
        {moneyText(total)}
      </Sum>
    </dl>
  );
};

type SumProps = { readonly name: string; readonly className: string; readonly children: ReactNode };

const Sum = ({ name, className, children }: SumProps) => (
  <div className={className}>
    <dt className={name === 'Total' ? '' : 'text-clove'}>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const History = ({ order: { history, orderNumber, _id } }: { readonly order: AdminOrder }) => {
  const mayAudit = useMay()('audit');
  return (
    <section className="mt-6 border-t border-sandal pt-4">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-[0.9375rem] font-medium">What happened</h3>
        {mayAudit && (
          <TextLink to={pathWith(pages.audit, { order: orderNumber ?? _id })} size="sm">
            Audit
          </TextLink>
        )}
      </div>
      <ol className="mt-2 space-y-3">
        {history.map(({ status, at, note }) => (
          <li key={`${status} ${at}`} className="border-l-2 border-gold pl-4 text-[0.9375rem]">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">{capitalised(status)}</span>
              <span className="figures text-[0.8125rem] text-clove">{momentText(at)}</span>
            </p>
            {note !== undefined && <p className="text-[0.875rem] wrap-anywhere text-clove">{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
};
