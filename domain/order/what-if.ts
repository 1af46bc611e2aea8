import { isLost } from '../event-store.ts';
import type { OrderNumber } from '../shared/ids.ts';
import { readPlace, stateLabel } from '../shared/states.ts';
import { dateInIndia, type CalendarDate, type Instant } from '../shared/time.ts';
import type { Paise } from '../shared/money.ts';
import { PERFUMES, getRate, type Hsn, type TaxRate } from '../tax/rates.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { CHARGES, computeTotals, type Charges } from './totals.ts';

/** A line is taxed at the rate for its code, or else at its own rate. */
export type OtherRules = {
  readonly rates: ReadonlyMap<Hsn, TaxRate>;
  readonly charges: Charges;
  /** The rules apply to checkouts from this day in India on; null means all. */
  readonly from: CalendarDate | null;
};

export const TODAYS_RULES: OtherRules = { rates: new Map(), charges: CHARGES, from: null };

export type WasAndWouldBe = { readonly was: Paise; readonly wouldBe: Paise };

/** Returns the original total of a checkout at this time, and its total under other rules. */
export const recounted = (checkout: Pick<Checkout, 'lines' | 'giftWrap'>, at: Instant, rules: OtherRules): WasAndWouldBe => {
  const was = computeTotals(checkout).total;
  if (rules.from !== null && dateInIndia(at) < rules.from) return { was, wouldBe: was };
  const lines = checkout.lines.map((line) => ({ ...line, rate: rules.rates.get(line.hsn ?? PERFUMES) ?? getRate(line) }));
  return { was, wouldBe: computeTotals({ ...checkout, lines }, rules.charges).total };
};

/** The part of an order that the sums need. `isSold` means placed and neither cancelled nor returned, as in the sales figures. */
export type RecountedSale = WasAndWouldBe & {
  readonly state: string;
  readonly number: OrderNumber;
  readonly placedAt: Instant;
  readonly isSold: boolean;
};

const quoted = (checkout: Checkout, at: Instant, rules: OtherRules): Partial<RecountedSale> => {
  const { state, country } = checkout.shippingAddress;
  return { ...recounted(checkout, at, rules), state: isLost(state) ? state : (readPlace({ state, country }) ?? stateLabel(state)) };
};

/**
 * Returns what an event changes in a sale, as plain JSON; undefined for nothing. The last checkout counts; the placing keeps the state
 * after an erasure.
 */
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
    case 'OrderShipped':
      return event.data.placeOfSupply && { state: event.data.placeOfSupply };
    case 'OrderCancelled':
    case 'OrderReturned':
      return { isSold: false };
    default:
      return undefined;
  }
};

export const isSale = (sale: Partial<RecountedSale>): sale is RecountedSale => sale.isSold === true && sale.was !== undefined;

/** The amounts are in paise. */
export type SumOfSales = { readonly orders: number; readonly was: number; readonly wouldBe: number };

const NO_SALES: SumOfSales = { orders: 0, was: 0, wouldBe: 0 };

/** These are the sales that would differ, of one month (of placing, in India) and one state of delivery. */
export type SumOfPart = SumOfSales & { readonly month: string; readonly state: string };

export type WhatIf = {
  /** Sums all sales, including those that stay the same. */
  readonly all: SumOfSales;
  readonly differing: SumOfSales;
  /** Sums the differing sales by month, then by state. */
  readonly parts: readonly SumOfPart[];
};

const plus = ({ orders, was, wouldBe }: SumOfSales, sale: WasAndWouldBe): SumOfSales => ({
  orders: orders + 1,
  was: was + sale.was,
  wouldBe: wouldBe + sale.wouldBe,
});

/** Adds up sales one by one and keeps only sums. */
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
