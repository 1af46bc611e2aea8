import { useState } from 'react';
import { isUnderWay } from '#domain/order/status.ts';
import { instant } from '#domain/shared/instant.ts';
import type { OrderView } from '#domain/order/view.ts';
import { dayText, shortDayText } from '../../../lib/dates.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Niche } from '../../../ui/Niche.tsx';
import { Address } from '../Address.tsx';
import type { Failure } from '../order-failure.ts';
import { numberOf } from '../order-number.ts';
import { CancelOrder } from './CancelOrder.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { EraseGuest } from './EraseGuest.tsx';
import { GiftBlock } from './GiftBlock.tsx';
import type { NewsletterSlot } from './newsletter-slot.ts';
import { mayBeCancelled, returnOf } from './order-dates.ts';
import { OrderItems } from './OrderItems.tsx';
import { OrderReceipt } from './OrderReceipt.tsx';
import { OrderTimeline } from './OrderTimeline.tsx';
import { ReturnOrder } from './OrderActions.tsx';

type PlacedOrderProps = {
  readonly order: OrderView;
  /** What is under way. */
  readonly asked: string | null;
  readonly failure: Failure | null;
  readonly Newsletter: NewsletterSlot | undefined;
  readonly onErased: ((message: string) => void) | undefined;
};

/** An order that is called off or sent back is not called confirmed. */
const titles: Partial<Record<string, string>> = { cancelled: 'Order Cancelled', returned: 'Order Returned' };

export const PlacedOrder = ({ order, asked, failure, Newsletter, onErased }: PlacedOrderProps) => {
  const title = titles[order.status] ?? 'Order Confirmed';
  usePageTitle(title);
  return (
    <>
      <Seal order={order} title={title} />
      <div className="page-x grid gap-x-16 gap-y-12 py-block lg:grid-cols-[1fr_25rem]">
        <div className="min-w-0 space-y-14">
          <DeliveryCard order={order} />
          <OrderItems items={order.items} />
          <GiftBlock giftWrap={order.giftWrap} giftMessage={order.giftMessage} />
          <div className="grid gap-x-10 gap-y-14 sm:grid-cols-2">
            <OrderTimeline {...order} />
            <section>
              <h2 className="display text-h2">Shipping address</h2>
              <div className="mt-6">
                <Address of={order.shippingAddress} />
              </div>
            </section>
          </div>
        </div>
        <OrderReceipt order={order}>
          <StillPossible order={order} asked={asked} failure={failure} />
          {onErased && !isUnderWay(order.status) && <EraseGuest id={order._id} onErased={onErased} />}
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
      <h1 className="display mt-8 text-display wrap-anywhere">{title}</h1>
      <p className="figures mt-5 text-lead">
        Order <span className="font-medium">{numberOf(order)}</span>
      </p>
      <p className="mt-1 text-clove">
        An e-mail was sent to <span className="wrap-anywhere">{order.shippingAddress.email}</span>
      </p>
      <p className="mt-4 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-[0.875rem] text-clove">
        {order.placedAt && <span className="figures">Placed {dayText(order.placedAt)}</span>}
        <Badge status={order.status} />
      </p>
    </div>
  </div>
);

const StillPossible = ({ order, asked, failure }: Omit<PlacedOrderProps, 'Newsletter' | 'onErased'>) => {
  const [now] = useState(() => instant(new Date().toISOString()));
  const error = failure?.message;
  if (mayBeCancelled(order)) return <CancelOrder id={order._id} busy={asked === 'cancel'} error={error} />;
  const back = returnOf(order, now);
  if (back === undefined) return null;
  if (back.tooLate)
    return <p className="text-center text-[0.875rem] text-clove">It could be returned until {shortDayText(back.lastDay)}.</p>;
  return <ReturnOrder id={order._id} lastDay={back.lastDay} busy={asked === 'return'} error={error} />;
};
