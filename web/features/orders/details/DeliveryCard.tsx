import { PackageCheck, Truck } from 'lucide-react';
import type { OrderView } from '#domain/order/view.ts';
import { dayText } from '../../../lib/dates.ts';
import { TextLink } from '../../../ui/TextLink.tsx';
import { reached, windowText } from './order-dates.ts';
import { TIMELINE } from './OrderTimeline.tsx';

const showTimeline = (): void => document.getElementById(TIMELINE)?.focus();

/** When the parcel comes, or came; what does not come any more has no card. */
export const DeliveryCard = ({ order }: { readonly order: OrderView }) => {
  const deliveredAt = reached(order, 'delivered');
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
