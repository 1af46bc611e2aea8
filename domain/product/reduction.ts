import { formatRupees, ZERO, type Paise } from '../shared/money.ts';
import { daysLater, type Instant } from '../shared/time.ts';
import type { ProductEvent } from './events.ts';

/** The price is lower than every price of the 30 days before it; the lowest of those was `lowestBefore`. */
export type Reduction = { readonly reducedAt: Instant; readonly lowestBefore: Paise };

type EarlierPrice = { readonly price: Paise; readonly until: Instant };

/** What a product's page and its next price change need to know about earlier prices. */
export type EarlierPrices = {
  /** No later price undercut or equalled these prices of the 30 days before the last change. They are in rising order. */
  readonly earlier: readonly EarlierPrice[];
  readonly reduction: Reduction | undefined;
};

export const noEarlierPrices: EarlierPrices = { earlier: [], reduction: undefined };

/** Directive 98/6/EC, article 6a, sets this number of days. A day has 24 hours here. */
const DAYS = 30;

type PriceChange = Extract<ProductEvent, { type: 'ProductPriceChanged' }>['data'];

/** A price of 0 means that there is no offer: it is neither a reduction nor the lowest price. */
export const afterPriceChange = ({ earlier: known }: EarlierPrices, { from, to, changedAt }: PriceChange): EarlierPrices => {
  const first = daysLater(changedAt, -DAYS);
  const earlier = known.filter(({ price, until }) => until > first && (from === ZERO || price < from));
  if (from !== ZERO) earlier.push({ price: from, until: changedAt });
  const [lowest] = earlier;
  const isReduced = to !== ZERO && lowest !== undefined && to < lowest.price;
  return { earlier, reduction: isReduced ? { reducedAt: changedAt, lowestBefore: lowest.price } : undefined };
};

export const announcedUntil = ({ reducedAt }: Reduction): Instant => daysLater(reducedAt, DAYS);

/** The page of a product shows it. `lowestPrice` is text, such as `₹3,200.00`. */
export type ReductionView = { readonly lowestPrice: string; readonly reducedAt: Instant };

export const viewReduction = ({ reducedAt, lowestBefore }: Reduction): ReductionView => ({
  lowestPrice: formatRupees(lowestBefore),
  reducedAt,
});
