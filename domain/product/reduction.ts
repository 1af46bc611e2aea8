import { formatRupees, ZERO, type Paise } from '../shared/money.ts';
import { daysLater, type Instant } from '../shared/time.ts';
import type { ProductEvent } from './events.ts';

/** A price that is lower than every one of the 30 days before it; the lowest of those was `lowestBefore`. */
export type Reduction = { readonly reducedAt: Instant; readonly lowestBefore: Paise };

type EarlierPrice = { readonly price: Paise; readonly until: Instant };

/** What a product's page and its next change of price need to know of the prices before. */
export type EarlierPrices = {
  /** Of the 30 days before the last change, those that no later one was as low as: each is higher than the one before it. */
  readonly earlier: readonly EarlierPrice[];
  /** By which the price in force was reached. */
  readonly reduction: Reduction | undefined;
};

export const noEarlierPrices: EarlierPrices = { earlier: [], reduction: undefined };

/** As Directive 98/6/EC, article 6a has it; 24 hours each. */
const DAYS = 30;

type PriceChange = Extract<ProductEvent, { type: 'ProductPriceChanged' }>['data'];

/** A price of 0 is no offer: it is neither a reduction nor the lowest price. */
export const afterPriceChange = ({ earlier: known }: EarlierPrices, { from, to, changedAt }: PriceChange): EarlierPrices => {
  const first = daysLater(changedAt, -DAYS);
  const earlier = known.filter(({ price, until }) => until > first && (from === ZERO || price < from));
  if (from !== ZERO) earlier.push({ price: from, until: changedAt });
  const [lowest] = earlier;
  const isReduced = to !== ZERO && lowest !== undefined && to < lowest.price;
  return { earlier, reduction: isReduced ? { reducedAt: changedAt, lowestBefore: lowest.price } : undefined };
};

/** From then on the price is simply the price. */
export const announcedUntil = ({ reducedAt }: Reduction): Instant => daysLater(reducedAt, DAYS);

/** On the page of a product. `lowestPrice` is text, `₹3,200.00`. */
export type ReductionView = { readonly lowestPrice: string; readonly reducedAt: Instant };

export const viewReduction = ({ reducedAt, lowestBefore }: Reduction): ReductionView => ({
  lowestPrice: formatRupees(lowestBefore),
  reducedAt,
});
