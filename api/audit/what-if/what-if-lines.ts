import type { EventStore } from '#domain/event-store.ts';
import type { OtherRules, RecountedSale, SumOfSales, WhatIf } from '#domain/order/what-if.ts';
import { rupees } from '#domain/shared/money.ts';

import type { StoredLog } from '../../event-store/stored-event.ts';
import type { ModelProgress } from '../books/check-read-models.ts';
import { liveLog } from '../log/log-source.ts';
import { Recount } from './recount.ts';

/** The amounts are in rupees; `difference` is negative if less would have been paid. */
const amounts = ({ was, wouldBe }: Pick<SumOfSales, 'was' | 'wouldBe'>) => ({
  was: was / 100,
  wouldBe: wouldBe / 100,
  difference: (wouldBe - was) / 100,
});

export const viewRules = ({ rates, from, charges: { giftWrap, shipping } }: OtherRules) => ({
  rates: [...rates].map(([hsn, rate]) => ({ hsn, rate })),
  from,
  giftWrap: rupees(giftWrap),
  shipping: { fee: rupees(shipping.fee), threshold: rupees(shipping.threshold) },
});

export const viewSums = ({ all, differing, parts }: WhatIf) => ({
  all: { orders: all.orders, ...amounts(all) },
  differing: { orders: differing.orders, ...amounts(differing) },
  rows: parts.map((part) => ({ month: part.month, state: part.state, orders: part.orders, ...amounts(part) })),
});

export const viewSale = (sale: RecountedSale) => ({
  orderNumber: sale.number,
  placedAt: sale.placedAt,
  state: sale.state,
  ...amounts(sale),
});

type Result = { readonly done: true; readonly rules: ReturnType<typeof viewRules> } & ReturnType<typeof viewSums>;
type Differing = { readonly orders: readonly ReturnType<typeof viewSale>[] };
export type WhatIfLine = (ModelProgress & { readonly of: 'log' }) | Differing | Result;

/** Yields progress, then the differing orders in batches, then the result. */
export async function* whatIfLines(store: EventStore & StoredLog, rules: OtherRules): AsyncGenerator<WhatIfLine> {
  const recount = await Recount.open(rules);
  try {
    const end = String(await store.head(['order']));
    let events = 0;
    for await (const page of liveLog(store).orders()) {
      await recount.take(page);
      events += page.length;
      yield { of: 'log', events, position: String(page.at(-1)?.position ?? end), end };
    }
    const sums = await recount.sums();
    for await (const sales of recount.differing()) yield { orders: sales.map(viewSale) };
    yield { done: true, rules: viewRules(rules), ...viewSums(sums) };
  } finally {
    await recount.close();
  }
}
