import type { Source } from '#domain/order/explain.ts';
import type { OrderView } from '#domain/order/view.ts';
import { ExplainAmounts, ExplainedAmounts } from '../../../ui/ExplainedAmounts.tsx';
import { useExplanationQuery } from '../order-api.ts';

/** Describes the events that amounts come from in the shopper's words. */
const words: Readonly<Record<string, string>> = {
  OrderCreated: 'From your checkout',
  OrderRevised: 'From your checkout, as you changed it',
  PaymentCaptured: 'From your payment',
  CashCollected: 'From the cash that you paid on delivery',
  RefundSettled: 'From our refund to you',
};

const wordsFor = ({ type }: Source): string => words[type] ?? 'From your order';

type ExplainOrderProps = { readonly order: Pick<OrderView, '_id' | 'payment'> };

export const ExplainOrder = ({ order }: ExplainOrderProps) => (
  <ExplainAmounts className="mt-5 border-t border-sandal pt-2">
    <Explained order={order} />
  </ExplainAmounts>
);

const Explained = ({ order: { _id, payment } }: ExplainOrderProps) => (
  <ExplainedAmounts query={useExplanationQuery({ _id, payment }, { refetchOnMountOrArgChange: true })} wordsOf={wordsFor} />
);
