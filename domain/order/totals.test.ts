import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { HIGHEST_PRICE, paise, percent } from '../shared/money.ts';
import { CHARGES, computeTotals } from './totals.ts';

const line = (unitPrice: number, quantity = 1) => ({ unitPrice: paise(unitPrice), quantity });

describe("an order's totals", () => {
  test('are the perfumes, tax of 18 percent and free shipping', () =>
    expect(computeTotals({ lines: [line(3_450_00, 2), line(2_450_00)], giftWrap: false })).toEqual({
      subtotal: 9_350_00,
      taxes: [{ rate: 18, taxable: 9_350_00, tax: 1_683_00 }],
      tax: 1_683_00,
      giftWrap: 0,
      shipping: 0,
      discount: 0,
      total: 11_033_00,
    }));
  test('include ₹39 for gift wrap, which is not taxed', () =>
    expect(computeTotals({ lines: [line(1_000_00)], giftWrap: true })).toMatchObject({ tax: 180_00, giftWrap: 39_00, total: 1_219_00 }));
  test.each([
    [25, 5], // 4.5
    [24, 4], // 4.32
    [75, 14], // 13.5
    [3, 1], // 0.54
    [2, 0], // 0.36
  ])('have for %i paise %i paise of tax: half a paisa is rounded up', (price, tax) =>
    expect(computeTotals({ lines: [line(price)], giftWrap: false }).tax).toBe(tax),
  );
  test.each([
    [999_00, 99_00],
    [1_000_00, 0],
  ])('with a threshold of ₹1,000 and a fee of ₹99 have for %i paise %i paise of shipping', (price, shipping) =>
    expect(
      computeTotals({ lines: [line(price)], giftWrap: false }, { ...CHARGES, shipping: { threshold: paise(1_000_00), fee: paise(99_00) } }),
    ).toMatchObject({ shipping, total: price + percent(paise(price), 18) + shipping }),
  );
  test('are reduced by a discount', () =>
    expect(computeTotals({ lines: [line(1_000_00)], giftWrap: true, discount: paise(100_00) })).toMatchObject({
      discount: 100_00,
      total: 1_119_00,
    }));
  test('have tax that is rounded once for the order, not for each line', () =>
    expect(computeTotals({ lines: [line(25), line(25)], giftWrap: false }).tax).toBe(9));

  test('are whole, exact numbers of paise for any allowed cart', () => {
    const anyLine = fc.record({
      unitPrice: fc.integer({ min: 1, max: HIGHEST_PRICE }).map(paise),
      quantity: fc.integer({ min: 1, max: 99 }),
    });
    const anyOrder = fc.record({ lines: fc.array(anyLine, { maxLength: 100 }), giftWrap: fc.boolean() });
    fc.assert(
      fc.property(anyOrder, (order) => {
        const { subtotal, tax, giftWrap, shipping, discount, total } = computeTotals(order);
        expect(
          Object.values({ subtotal, tax, giftWrap, shipping, discount, total }).every(
            (amount) => Number.isSafeInteger(amount) && amount >= 0,
          ),
        ).toBe(true);
        expect(total).toBe(subtotal + tax + shipping + giftWrap - discount);
        // BigInt checks the arithmetic of doubles.
        expect(BigInt(tax)).toBe((BigInt(subtotal) * 18n + 50n) / 100n);
      }),
    );
  });
});
