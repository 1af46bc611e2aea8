import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ERASED } from '../event-store.ts';
import { orderNumber } from '../shared/ids.ts';
import { paise } from '../shared/money.ts';
import { personalText } from '../shared/text.ts';
import { calendarDate, instant } from '../shared/time.ts';
import { ESSENTIAL_OILS, hsn, PERFUMES, taxRate } from '../tax/rates.ts';
import * as orders from '../testing/orders.ts';
import { oudSaffronMajlis } from '../testing/products.ts';
import type { Checkout, OrderEvent } from './events.ts';
import { CHARGES } from './totals.ts';
import { addUpSales, isSale, recounted, saleChange, TODAYS_RULES, type OtherRules, type RecountedSale } from './what-if.ts';

const rulesWith = (changes: Partial<OtherRules>): OtherRules => ({ ...TODAYS_RULES, ...changes });
const perfumesAt = (rate: number) => new Map([[PERFUMES, taxRate(rate)]]);
const saleAfter = (events: readonly OrderEvent[], rules: OtherRules): Partial<RecountedSale> =>
  Object.assign({}, ...events.map((event) => saleChange(event, rules))) as Partial<RecountedSale>;

/** The fields that old orders lack may be missing. */
const anyLine = fc
  .record({
    unitPrice: fc.integer({ min: 1, max: 10_000_000 }).map(paise),
    quantity: fc.integer({ min: 1, max: 99 }),
    hsn: fc.constantFrom(PERFUMES, ESSENTIAL_OILS, hsn('33030010'), undefined),
    rate: fc.constantFrom(0, 5, 12.5, 18, 28, undefined),
  })
  .map(({ hsn: code, rate, ...line }) => ({
    productId: oudSaffronMajlis,
    name: 'Oud Saffron Majlis',
    details: '',
    picture: '',
    ...line,
    ...(code && { hsn: code }),
    ...(rate !== undefined && { rate: taxRate(rate) }),
  }));
const anyCheckout = fc.record({ lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }), giftWrap: fc.boolean() });
/** The times are around midnight in India, which is 18:30 in UTC. */
const anyMoment = fc
  .tuple(fc.integer({ min: 1, max: 28 }), fc.constantFrom('00:00', '18:29', '18:30', '23:59'))
  .map(([day, time]) => instant(`2026-03-${String(day).padStart(2, '0')}T${time}:00.000Z`));
const anyRules = fc.record({
  rates: fc.dictionary(fc.constantFrom('3303', '3301', '33030010'), fc.constantFrom(0, 5, 12, 18, 28.25)),
  wrap: fc.integer({ min: 0, max: 10_000 }),
  fee: fc.integer({ min: 0, max: 20_000 }),
  threshold: fc.integer({ min: 0, max: 50_000_000 }),
  from: fc.constantFrom(null, '2026-03-01', '2026-03-15', '2026-04-01'),
});

/** A simple calculation in BigInt, line by line, gives the amounts to compare with. */
const naive = (
  { lines, giftWrap }: Pick<Checkout, 'lines' | 'giftWrap'>,
  rateFor: (code: string, own: number) => number,
  { wrap, fee, threshold }: { wrap: number; fee: number; threshold: number },
): number => {
  let subtotal = 0n;
  const byRate = new Map<number, bigint>();
  for (const { unitPrice, quantity, hsn: code = '3303', rate = 18 } of lines) {
    const amount = BigInt(unitPrice) * BigInt(quantity);
    const its = rateFor(code, rate);
    subtotal += amount;
    byRate.set(its, (byRate.get(its) ?? 0n) + amount);
  }
  const taxes = [...byRate].map(([rate, amount]) => (amount * BigInt(Math.round(rate * 100)) + 5_000n) / 10_000n);
  const tax = taxes.reduce((sum, each) => sum + each, 0n);
  return Number(subtotal + tax) + (giftWrap ? wrap : 0) + (subtotal >= BigInt(threshold) ? 0 : fee);
};

describe('the recalculated total of an order', () => {
  test("under today's rules is the original total, from any day on", () =>
    fc.assert(
      fc.property(anyCheckout, anyMoment, fc.constantFrom(null, calendarDate('2026-03-15')), (checkout, at, from) => {
        const { was, wouldBe } = recounted(checkout, at, rulesWith({ from }));
        expect(wouldBe).toBe(was);
      }),
    ));

  test('under any rules equals a simple calculation', () =>
    fc.assert(
      fc.property(anyCheckout, anyMoment, anyRules, (checkout, at, { rates, from, ...charges }) => {
        const rules: OtherRules = {
          rates: new Map(Object.entries(rates).map(([code, rate]) => [hsn(code), taxRate(rate)])),
          charges: { giftWrap: paise(charges.wrap), shipping: { fee: paise(charges.fee), threshold: paise(charges.threshold) } },
          from: from === null ? null : calendarDate(from),
        };
        const [day, time] = [Number(at.slice(8, 10)), at.slice(11, 16)];
        const dayInIndia = `2026-03-${String(time < '18:30' ? day : day + 1).padStart(2, '0')}`;
        const was = naive(checkout, (_, own) => own, { wrap: CHARGES.giftWrap, fee: 0, threshold: 0 });
        const wouldBe = naive(checkout, (code, own) => rates[code] ?? own, charges);
        expect(recounted(checkout, at, rules)).toEqual({ was, wouldBe: from !== null && dayInIndia < from ? was : wouldBe });
      }),
    ));

  test('depends on the day in India of the last checkout', () => {
    const rules = rulesWith({ rates: perfumesAt(12), from: calendarDate('2026-04-01') });
    const eve = instant('2026-03-31T18:29:59.999Z');
    const first = instant('2026-03-31T18:30:00.000Z');
    const before = orders.created({ createdAt: eve });
    expect(saleAfter([before], rules)).toMatchObject({ was: 11_033_00, wouldBe: 11_033_00 });
    expect(saleAfter([before, orders.revised({ revisedAt: first })], rules)).toMatchObject({ was: 11_033_00, wouldBe: 10_619_00 });
  });

  test('uses another rate only for goods with its code', () =>
    expect(saleAfter([orders.created()], rulesWith({ rates: perfumesAt(12) }))).toMatchObject({
      // The tax is 12% of ₹6,900 and 18% of ₹2,450.
      wouldBe: 9_350_00 + 828_00 + 441_00,
    }));
});

test.each([
  ['created', false],
  ['pending', true],
  ['confirmed', true],
  ['shipped', true],
  ['delivered', true],
  ['cancelled', false],
  ['returned', false],
] as const)('an order that is %s is a sale: %s', (status, isOne) =>
  expect(isSale(saleAfter(orders.historyOf[status], TODAYS_RULES))).toBe(isOne),
);

test.each([
  ['Kerala', 'Kerala'],
  ['  uttar   PRADESH ', 'Uttar Pradesh'],
  ['JAMMU AND KASHMIR', 'Jammu and Kashmir'],
  ['JAMMU & KASHMIR', 'Jammu and Kashmir'],
  ['orissa', 'Odisha'],
  [' new  york', 'New York'],
  ['isle of man', 'Isle of Man'],
  [ERASED, 'erased'],
  ['केरल', 'Kerala'],
  ['goa', 'Other Country', 'Portugal'],
])('the recalculated total belongs to the state %j as %s', (typed, name, country = 'India') => {
  const typedPlace = { state: personalText(typed), country: personalText(country) };
  const typedSo = orders.historyOf.created.flatMap((event) =>
    event.type === 'OrderCreated'
      ? { ...event, data: { ...event.data, shippingAddress: { ...event.data.shippingAddress, ...typedPlace } } }
      : [],
  );
  expect(saleAfter(typedSo, TODAYS_RULES)).toMatchObject({ state: name });
});

test('the recalculated total belongs to the state that staff named at shipping', () => {
  const named = orders.shipped('', orders.deliveryDay, { placeOfSupply: 'Goa' });
  expect(saleAfter([...orders.historyOf.confirmed, named], TODAYS_RULES)).toMatchObject({ state: 'Goa' });
});

test('sums are by month of placing in India and by state, over the orders that would differ', () => {
  const sale = (was: number, wouldBe: number, placedAt: string, state: string): RecountedSale => ({
    was: paise(was),
    wouldBe: paise(wouldBe),
    state,
    number: orderNumber('RH-4WPDX9CT'),
    placedAt: instant(placedAt),
    isSold: true,
  });
  const { add, sums } = addUpSales();
  for (const each of [
    sale(100, 90, '2026-03-31T18:30:00.000Z', 'Kerala'),
    sale(200, 210, '2026-04-02T08:00:00.000Z', 'Kerala'),
    sale(300, 290, '2026-03-31T18:29:00.000Z', 'Kerala'),
    sale(400, 390, '2026-04-02T08:00:00.000Z', 'Goa'),
    sale(500, 500, '2026-04-02T08:00:00.000Z', 'Delhi'),
  ])
    add(each);
  expect(sums()).toEqual({
    all: { orders: 5, was: 1_500, wouldBe: 1_480 },
    differing: { orders: 4, was: 1_000, wouldBe: 980 },
    parts: [
      { month: '2026-03', state: 'Kerala', orders: 1, was: 300, wouldBe: 290 },
      { month: '2026-04', state: 'Goa', orders: 1, was: 400, wouldBe: 390 },
      { month: '2026-04', state: 'Kerala', orders: 2, was: 300, wouldBe: 300 },
    ],
  });
});
