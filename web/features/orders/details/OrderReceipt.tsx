import { Leaf } from 'lucide-react';
import type { ReactNode } from 'react';
import { pages } from '#domain/pages.ts';
import type { OrderView } from '#domain/order/view.ts';
import { ButtonLink } from '../../../ui/Button.tsx';
import { methods } from '../payment-methods.ts';
import { totalsOfOrder } from '../summary/summary-lines.ts';
import { rowsAfter, TotalsList } from '../summary/TotalsList.tsx';

type OrderReceiptProps = {
  readonly order: OrderView;
  /** What the shopper may still do about it. */
  readonly children: ReactNode;
};

/** What it came to, how it is paid, and the ways on. */
export const OrderReceipt = ({ order, children }: OrderReceiptProps) => {
  const totals = totalsOfOrder(order);
  return (
    <aside aria-labelledby="receipt" className="self-start lg:sticky lg:top-28">
      <div className="bg-paper p-6 sm:p-8">
        <h2 id="receipt" className="display mb-5 text-h3">
          Summary
        </h2>
        <TotalsList rows={rowsAfter(totals)} total={totals.total} />
        {order.paymentMethod && <Payment method={order.paymentMethod} />}
      </div>
      <p className="mt-6 flex gap-3 text-[0.875rem] leading-relaxed text-clove">
        <Leaf className="size-5 text-khus" strokeWidth={1.5} />
        Packed without plastic: cotton paper, straw-board and a reusable cloth sleeve.
      </p>
      <div className="mt-6 flex flex-col gap-3">
        <ButtonLink to={pages.home} size="lg">
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

const Payment = ({ method }: { readonly method: keyof typeof methods }) => {
  const { label, icon: Icon } = methods[method];
  return (
    <p className="mt-3 flex items-center gap-2 text-[0.875rem] text-clove">
      <Icon className="size-4" strokeWidth={1.5} />
      Payment: {label}
    </p>
  );
};
