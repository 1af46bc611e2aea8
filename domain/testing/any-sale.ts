import * as fc from 'fast-check';

import { viewCart, type CartView } from '../cart/view.ts';
import type { Returned } from '../invoice/invoice.ts';
import { OTHER_COUNTRY, states, type IndianState, type PlaceOfSupply } from '../shared/states.ts';
import type { OrderEvent, PaymentMethod } from '../order/events.ts';
import { order } from '../order/order.ts';
import type { ExistingOrder } from '../order/rules.ts';
import { computeBill } from '../order/totals.ts';
import type { PaymentEvent } from '../payment/events.ts';
import { payment } from '../payment/payment.ts';
import { refundable } from '../payment/rules.ts';
import type { Offer } from '../product/offer.ts';
import { priceText } from '../product/view.ts';
import type { Decider, DomainEvent } from '../shared/decider.ts';
import { productId } from '../shared/ids.ts';
import { HIGHEST_PRICE, paise, type Paise } from '../shared/money.ts';
import { dateInIndia } from '../shared/time.ts';
import { hsn, STANDARD_RATE, taxRate, type TaxRate } from '../tax/rates.ts';
import { createOffers, cartAfter, itemAdded } from './carts.ts';
import { cancel, create, decideReturn, deliveryDay, giveBack, home, moveTo, place, receiveReturn } from './orders.ts';
import { capture, refund } from './payments.ts';
import { oudSaffronMajlis } from './products.ts';

/** The costs of an order are in paise: each line without tax, and the sums of each rate, highest rate first. */
export type Costs = {
  readonly lines: readonly number[];
  readonly rates: readonly { readonly rate: number; readonly taxable: number; readonly tax: number }[];
  readonly subtotal: number;
  readonly tax: number;
  readonly giftWrap: number;
  readonly total: number;
};

export type Sale = {
  readonly cart: CartView;
  readonly draft: ExistingOrder;
  readonly order: readonly [OrderEvent, ...OrderEvent[]];
  readonly payment: readonly PaymentEvent[];
  readonly sellerState: IndianState;
  readonly placeOfSupply: PlaceOfSupply;
  /** Partial returns come before the rest is returned; the list is empty unless the order was returned. */
  readonly parts: readonly Returned[];
  readonly costs: Costs;
  readonly paid: number;
  readonly refunded: number;
};

type Line = { readonly unitPrice: Paise; readonly quantity: number; readonly code: number };

const added = (amounts: readonly bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n);

/** Computes the costs independently of the shop's code, in BigInt. */
const computeCosts = (lines: readonly Line[], rateOf: (line: Line) => TaxRate, giftWrap: boolean): Costs => {
  const sold = lines.map((line) => ({ rate: rateOf(line), amount: BigInt(line.unitPrice) * BigInt(line.quantity) }));
  const rates = [...new Set(sold.map(({ rate }) => rate))].toSorted((one, other) => other - one);
  const taxes = rates.map((rate) => {
    const taxable = added(sold.filter((each) => each.rate === rate).map(({ amount }) => amount));
    return { rate, taxable: Number(taxable), tax: Number((taxable * BigInt(Math.round(rate * 100)) + 5_000n) / 10_000n) };
  });
  const subtotal = Number(added(sold.map(({ amount }) => amount)));
  const tax = taxes.reduce((all, each) => all + each.tax, 0);
  const wrap = giftWrap ? 39_00 : 0;
  return { lines: sold.map(({ amount }) => Number(amount)), rates: taxes, subtotal, tax, giftWrap: wrap, total: subtotal + tax + wrap };
};

/** Returns where a room shows amounts that differ from the order's costs. */
export const differences = (costs: Costs, rooms: Readonly<Record<string, Partial<Costs>>>): readonly string[] =>
  Object.entries(rooms).flatMap(([room, shown]) =>
    Object.entries(shown).flatMap(([name, amount]) => {
      const [found, right] = [amount, costs[name as keyof Costs]].map((each) => JSON.stringify(each));
      return found === right ? [] : [`${room}: ${name} ${found}, not ${right}`];
    }),
  );

const CODES = ['3303', '3301', '330300', '33030010'].map(hsn);

const rate = fc.constantFrom(0, 0.25, 3, 5, 12, 12.5, 18, 18.25, 28, 28.99, 100).map(taxRate);
/** High prices are rare, so that the sum of all sales stays an exact number. */
const price = fc
  .oneof(
    { weight: 60, arbitrary: fc.integer({ min: 1, max: 10_000_00 }) },
    { weight: 35, arbitrary: fc.integer({ min: 1, max: 199 }) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 10_00_000_00 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: HIGHEST_PRICE }) },
  )
  .map(paise);
const line = fc.record({ unitPrice: price, quantity: fc.integer({ min: 1, max: 99 }), code: fc.nat(CODES.length - 1) });

type Delivered = { readonly state: string; readonly country: string; readonly place: PlaceOfSupply | undefined };
const WRITTEN = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => `  ${name.toLowerCase().replaceAll(' ', '   ')} `,
  (name: string) => name.replaceAll(/\w/g, (letter, at: number) => (at % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())),
];
const delivered: fc.Arbitrary<Delivered> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...states), fc.constantFrom(...WRITTEN))
      .map(([place, written]) => ({ state: written(place), country: 'India', place })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Utopia', 'BAVARIA', '-', 'Uttar').map((state) => ({ state, country: 'IN', place: undefined })),
  },
  { weight: 1, arbitrary: fc.constantFrom('Utopia', ...states).map((state) => ({ state, country: 'Nepal', place: OTHER_COUNTRY })) },
);

const share = fc.integer({ min: 1, max: 100 });
const plan = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  /** The rates are in the order of the codes; a code without a rule has the standard rate. */
  rates: fc.array(fc.option(rate, { nil: undefined, freq: 8 }), { minLength: CODES.length, maxLength: CODES.length }),
  giftWrap: fc.boolean(),
  delivered,
  isOwnState: fc.boolean(),
  sellerState: fc.constantFrom(...states),
  method: fc.constantFrom<PaymentMethod>('COD', 'Prepaid'),
  end: fc.constantFrom('cancelled', 'delivered', 'delivered', 'returned'),
  /** The shares are in per cent of the total of a prepaid order. */
  refunds: fc.array(share, { maxLength: 2 }),
  parts: fc.array(fc.record({ line: fc.nat(), share }), { maxLength: 3 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Of> ? Of : never;

/** Returns a function that sends commands to one stream. It throws when a command is refused. */
const commanding = <State, Command, Event extends DomainEvent, Rejection>(decider: Decider<State, Command, Event, Rejection>) => {
  const events: Event[] = [];
  const state = (): State => events.reduce(decider.evolve, decider.initial);
  const send = (command: Command): void => {
    const decision = decider.decide(state(), command);
    if (!decision.ok) throw new Error(JSON.stringify(decision.rejection));
    events.push(...decision.events);
  };
  return { events, state, send };
};

const existing = (state: ReturnType<typeof order.evolve>): ExistingOrder => {
  if (state.status === 'none') throw new Error('There is no order');
  return state;
};

const sell = ({ lines, rates, giftWrap, delivered: to, isOwnState, method, end, ...given }: Plan): Sale => {
  const getRate = ({ code }: Line): TaxRate => rates[code] ?? STANDARD_RATE;
  const product = createOffers().get(oudSaffronMajlis)?.product;
  if (!product) throw new Error('The catalogue has none');
  const offered = lines.map(({ unitPrice, code }, index): Offer => {
    const _id = productId(`perfume-${index}`);
    const sold = { ...product, _id, name: `Perfume ${index}`, price: priceText(unitPrice), hsn: CODES[code] ?? product.hsn };
    return { product: sold, price: unitPrice, removed: false, available: null };
  });
  const offers = new Map(offered.map((offer) => [offer.product._id, offer]));
  const today = { get: (code: (typeof CODES)[number]) => rates[CODES.indexOf(code)] };
  const held = cartAfter(
    ...offered.map(({ product: { _id, name }, price: at }, index) =>
      itemAdded({ productId: _id, name, price: at, quantity: lines[index]?.quantity ?? 0 }),
    ),
  );

  const sale = commanding(order);
  const money = commanding(payment);
  sale.send(create({ lines: held.lines, offers, rates: today, giftWrap, shipping: { ...home, state: to.state, country: to.country } }));
  const draft = existing(sale.state());
  sale.send(place({ offers, method }));
  const bill = () => computeBill(existing(sale.state()));
  const costs = computeCosts(lines, getRate, giftWrap);
  const total = paise(costs.total);
  let refunded: number = end === 'cancelled' && method === 'Prepaid' ? total : 0;
  if (method === 'Prepaid') money.send(capture({ bill: bill(), amount: total }));
  if (end === 'cancelled') {
    sale.send(cancel());
    money.send({ type: 'RefundExcess', bill: bill(), now: deliveryDay });
  } else {
    for (const status of ['confirmed', 'shipped', 'delivered'] as const) sale.send(moveTo(status, { now: deliveryDay }));
    const collected = { amount: total, reference: '', collectedOn: dateInIndia(deliveryDay), now: deliveryDay };
    if (method === 'COD') money.send({ type: 'CollectCash', bill: bill(), ...collected });
    if (end === 'returned') for (const command of [giveBack(), decideReturn(), receiveReturn()]) sale.send(command);
    for (const percent of given.refunds) {
      const amount = Math.min(Math.ceil((total * percent) / 100), refundable(money.state()));
      if (amount === 0) continue;
      money.send(refund({ bill: bill(), amount: paise(amount) }));
      refunded += amount;
    }
  }
  for (const { id } of money.state().refunds) money.send({ type: 'SettleRefund', refund: id, now: deliveryDay });

  const [first, ...rest] = sale.events;
  if (!first) throw new Error('Nothing happened');
  const sellerState = isOwnState && to.place && to.place !== OTHER_COUNTRY ? to.place : given.sellerState;
  return {
    cart: viewCart(held, offers, today),
    draft,
    order: [first, ...rest],
    payment: money.events,
    sellerState,
    placeOfSupply: to.place ?? sellerState,
    parts: given.parts.flatMap(({ line: any, share: of }): Returned[] => {
      const index = any % lines.length;
      const quantity = Math.ceil(((lines[index]?.quantity ?? 0) * of) / 100);
      return end === 'returned' ? [{ productId: productId(`perfume-${index}`), quantity }] : [];
    }),
    costs,
    paid: method === 'Prepaid' || end !== 'cancelled' ? total : 0,
    refunded,
  };
};

export const anySale: fc.Arbitrary<Sale> = plan.map(sell);
