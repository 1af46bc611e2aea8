import { Gift } from 'lucide-react';
import type { OrderView } from '#domain/order/view.ts';

/** What goes with the parcel, when it is a gift. */
export const GiftBlock = ({ giftWrap, giftMessage }: Pick<OrderView, 'giftWrap' | 'giftMessage'>) => {
  if (!giftWrap && giftMessage === '') return null;
  return (
    <section className="flex gap-5 bg-floral p-6 sm:p-8">
      <Gift className="mt-1 size-6 text-floral-deep" strokeWidth={1.3} />
      <div className="min-w-0">
        <h2 className="text-[0.875rem] font-medium">Gift message</h2>
        {giftMessage === '' ? (
          <p className="mt-2 text-clove">Wrapped as a gift, without a message.</p>
        ) : (
          <p className="display mt-2 text-h3 leading-snug wrap-anywhere whitespace-pre-line italic">{giftMessage}</p>
        )}
      </div>
    </section>
  );
};
