import { ERASED } from '../event-store.ts';
import type { OrderNumber } from '../shared/ids.ts';
import { stateLabel } from '../shared/states.ts';
import { dateInIndia, type CalendarDate, type Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';
import { PERFUMES, rateOf, type Hsn, type TaxRate } from '../tax/rates.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { CHARGES, totalsOf, type Charges } from './totals.ts';

/** A line is taxed at the rate for its own code, and at the rate it has if there is none. */
export type OtherRules = {
  readonly rates: ReadonlyMap<Hsn, TaxRate>;
  readonly charges: Charges;
  /** The first day in India of the checkouts they apply to; null: all. */
  readonly from: CalendarDate | null;
};

export const TODAYS_RULES: OtherRules = { rates: new Map(), charges: CHARGES, from: null };

export type WasAndWouldBe = { readonly was: Paise; readonly wouldBe: Paise };

/** The total of a checkout of this moment as it was, and under other rules. */
export const recounted = (checkout: Pick<Checkout, 'lines' | 'giftWrap'>, at: Instant, rules: OtherRules): WasAndWouldBe => {
  const was = totalsOf(checkout).total;
  if (rules.from !== null && dateInIndia(at) < rules.from) return { was, wouldBe: was };
  const lines = checkout.lines.map((line) => ({ ...line, rate: rules.rates.get(line.hsn ?? PERFUMES) ?? rateOf(line) }));
  return { was, wouldBe: totalsOf({ ...checkout, lines }, rules.charges).total };
};

/** What of an order is kept for the sums. `isSold`: placed, and neither cancelled nor returned, as in the figures of sales. */
export type RecountedSale = WasAndWouldBe & {
  readonly state: string;
  readonly number: OrderNumber;
  readonly placedAt: Instant;
  readonly isSold: boolean;
};

const quoted = (checkout: Checkout, at: Instant, rules: OtherRules): Partial<RecountedSale> => {
  const { state } = checkout.shippingAddress;
  return { ...recounted(checkout, at, rules), state: state === ERASED ? ERASED : stateLabel(state) };
};

/** What an event changes in a sale, as plain JSON; undefined: nothing. The last checkout counts; the placing has its state after an erasure too. */
export const saleChange = (event: OrderEvent, rules: OtherRules): Partial<RecountedSale> | undefined => {
  switch (event.type) {
    case 'OrderCreated':
      return quoted(event.data, event.data.createdAt, rules);
    case 'OrderRevised':
      return quoted(event.data, event.data.revisedAt, rules);
    case 'OrderPlaced': {
      const { number, placedAt, deliveryState: state } = event.data;
      return { number, placedAt, isSold: true, ...(state && { state }) };
    }
    case 'OrderCancelled':
    case 'OrderReturned':
      return { isSold: false };
    default:
      return undefined;
  }
};

export const isSale = (sale: Partial<RecountedSale>): sale is RecountedSale => sale.isSold === true && sale.was !== undefined;

/** Amounts in paise. */
export type SumOfSales = { readonly orders: number; readonly was: number; readonly wouldBe: number };

const NO_SALES: SumOfSales = { orders: 0, was: 0, wouldBe: 0 };

/** The sales that would differ, of one month (of placing, in India) and one state of delivery. */
export type SumOfPart = SumOfSales & { readonly month: string; readonly state: string };

export type WhatIf = {
  /** Of all sales, those that stay the same too. */
  readonly all: SumOfSales;
  readonly differing: SumOfSales;
  /** Of the differing ones, by month, then state. */
  readonly parts: readonly SumOfPart[];
};

const plus = ({ orders, was, wouldBe }: SumOfSales, sale: WasAndWouldBe): SumOfSales => ({
  orders: orders + 1,
  was: was + sale.was,
  wouldBe: wouldBe + sale.wouldBe,
});

/** Adds sales up one by one, and keeps only sums. */
export const addUpSales = (): { readonly add: (sale: RecountedSale) => void; readonly sums: () => WhatIf } => {
  let [all, differing] = [NO_SALES, NO_SALES];
  const parts = new Map<string, SumOfPart>();
  return {
    add: (sale) => {
      all = plus(all, sale);
      if (sale.was === sale.wouldBe) return;
      differing = plus(differing, sale);
      const { state } = sale;
      const month = dateInIndia(sale.placedAt).slice(0, 7);
      const key = `${month} ${state}`;
      parts.set(key, { month, state, ...plus(parts.get(key) ?? NO_SALES, sale) });
    },
    sums: () => ({
      all,
      differing,
      parts: [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part),
    }),
  };
};
