import { describe, expect, test } from 'vitest';

import { NOT_AN_EMAIL } from '../shared/email.ts';
import type { ProductId } from '../shared/ids.ts';
import { instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { taxRate } from '../tax/rates.ts';
import { anOrder, createOffers, evening, gulabLine, meera, morning, noon, oudLine, ravi } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import * as theOrders from '../testing/orders.ts';
import type { CheckoutChanges } from '../testing/orders.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import {
  BLANK_FORM,
  type CreateOrder,
  missingShippingFields,
  NO_ADDRESS,
  normalizeShipping,
  shippingErrors,
  shippingFields,
} from './checkout.ts';
import { order } from './order.ts';

const { aNumber, cancelled, confirmed, create, created, historyOf, home, orderAfter, place, placed, revised, soldLines } = theOrders;

const [oudSold, gulabSold] = soldLines;
const withOud = (unitPrice: Paise) => [{ ...oudSold, unitPrice }, gulabSold];

const changedOffer = (productId: ProductId, name: string, was: number, now: number | null) => ({
  code: 'offer_changed' as const,
  products: [{ productId, name, was: paise(was), now: now === null ? null : paise(now) }],
});

describe('checking out', () => {
  testDecisions(order, [
    ['a cart becomes an order with current names, pictures and prices', [], create(), [created()]],
    ['an empty cart does not become an order', [], create({ lines: [] }), { code: 'cart_empty' }],
    ['an address is stored in trimmed single lines', [], create({ shipping: { ...home, name: ' Meera\r\n Nair ' } }), [created()]],
  ]);
  test.each([
    [{ shipping: { ...home, city: ' \t', phone: '' } }, { city: 'Required', phone: 'Required' }],
    [{ note: 'x'.repeat(501) }, { note: 'At most 500 characters' }],
  ])('%# each missing or too long field is named in the refusal', (form, errors) =>
    expectDecision(order, [], create(form), { code: 'checkout_invalid', errors }),
  );
  const gulabGone = { code: 'items_unavailable' as const, products: [{ productId: ruhGulab, name: 'Ruh Gulab' }] };
  test.each([{ inStock: false }, { removed: true }, { price: paise(0) }])('a perfume that can no longer be bought is named: %o', (gulab) =>
    expectDecision(order, [], create({ offers: createOffers({ gulab }) }), gulabGone),
  );
  test('a perfume that was never offered is named as in the cart', () =>
    expectDecision(order, [], create({ lines: [gulabLine()], offers: new Map() }), gulabGone));
});

describe('counted perfumes', () => {
  test.each([2, 0])('are refused at checkout when only %i are available', (available) =>
    expectDecision(order, [], create({ lines: [oudLine(3), gulabLine()], offers: createOffers({ oud: { available } }) }), {
      code: 'not_enough_in_stock',
      products: [{ productId: oudSaffronMajlis, available }],
    }),
  );
  test('are checked out when enough are available, and placed when all are reserved', () => {
    const offers = createOffers({ oud: { available: 2 } });
    expectDecision(order, [], create({ offers }), [created()]);
    expectDecision(order, [created()], place({ offers: createOffers({ oud: { available: 0 } }) }), [placed()]);
  });
});

describe('abandoning a placing', () => {
  const abandon = { type: 'AbandonPlacing', now: noon } as const;
  const abandoned = { type: 'PlacingAbandoned', data: { abandonedAt: noon } } as const;
  test('changes only the revision of the draft', () => {
    expectDecision(order, [created()], abandon, [abandoned]);
    expectDecision(order, [created(), abandoned], place(), [placed()]);
  });
  test('changes nothing once the order is placed', () => expectDecision(order, [created(), placed()], abandon, []));
});

describe('checking out the same cart again', () => {
  const later = { now: noon };

  testDecisions(order, [
    ['with the same form changes nothing', [created()], create(later), []],
    ['with one more perfume revises it', [created({ lines: [oudSold] })], create(later), [revised()]],
    ['as another shopper finds no order', [created()], create({ by: ravi }), { code: 'order_not_found' }],
    ['after it was placed changes nothing, whatever the form contains', [created(), placed()], create({ ...BLANK_FORM, now: evening }), []],
  ]);
  test.each<[string, Partial<CreateOrder>, CheckoutChanges]>([
    ['gift wrap', { giftWrap: true }, { giftWrap: true }],
    ['address', { shipping: { ...home, city: 'Thrissur' } }, { shippingAddress: { ...home, city: 'Thrissur' } }],
    ['price', { offers: createOffers({ oud: { price: paise(3_600_00) } }) }, { lines: withOud(paise(3_600_00)) }],
    ['number of perfumes', { lines: [oudLine(2)] }, { lines: [oudSold] }],
    ['quantity', { lines: [oudLine(1), gulabLine()] }, { lines: [{ ...oudSold, quantity: 1 }, gulabSold] }],
    ['tax rate', { rates: { get: () => taxRate(5) } }, { lines: soldLines.map((line) => ({ ...line, rate: taxRate(5) })) }],
  ])('with another %s revises it', (_, form, changes) =>
    expectDecision(order, [created()], create({ ...later, ...form }), [revised(changes)]),
  );
  test('after it was cancelled creates the order anew', () => {
    expectDecision(order, [created(), cancelled()], create({ now: noon }), [created({ createdAt: noon })]);
    expect(orderAfter(created(), cancelled(), created({ createdAt: noon })).history).toEqual([{ status: 'created', at: noon, note: '' }]);
  });
  test('after a day revises the prices, which are then valid for another day', () => {
    const nextDay = instant('2026-11-15T05:00:00.001Z');
    expectDecision(order, [created()], create({ now: nextDay }), [revised({ revisedAt: nextDay })]);
    expectDecision(order, [created(), revised({ revisedAt: nextDay })], place({ now: nextDay }), [placed('COD', nextDay)]);
  });
});

describe('placing an order', () => {
  test('records prepaid as the method, and no payment', () => {
    expectDecision(order, [created()], place({ method: 'Prepaid' }), [placed('Prepaid')]);
    expect(orderAfter(created(), placed('Prepaid')).status).toBe('pending');
  });
  test.each(['pending', 'confirmed', 'shipped', 'delivered', 'returned'] as const)('changes nothing when the order is %s', (status) =>
    expectDecision(order, historyOf[status], place({ now: evening }), []),
  );
  const dearer = createOffers({ oud: { price: paise(3_600_00) } });
  const meanwhile = { order: anOrder, number: aNumber };
  testDecisions(order, [
    ['places a created order', [created()], place(), [placed()]],
    ['changes nothing the second time, even after a price change', [created(), placed()], place({ offers: dearer }), []],
    ['changes nothing the second time, whatever was ordered meanwhile', [created(), placed()], place({ meanwhile }), []],
    [
      'asks first when another order has taken the bottles, even after a price change',
      [created()],
      place({ meanwhile, offers: dearer }),
      { code: 'already_ordered', ...meanwhile },
    ],
    ['is refused with another method', [created(), placed(), confirmed()], place({ method: 'Prepaid' }), { code: 'order_already_placed' }],
    ['is refused when it was cancelled before', [created(), cancelled()], place(), { code: 'order_cancelled' }],
    ['is refused when it was placed and cancelled', [created(), placed(), cancelled()], place(), { code: 'order_cancelled' }],
    [
      'succeeds at the new price after another checkout',
      [created(), revised({ lines: withOud(paise(3_600_00)) })],
      place({ offers: dearer }),
      [placed()],
    ],
    ["is refused for another shopper's draft, which is not found", [created()], place({ by: ravi }), { code: 'order_not_found' }],
    ["is refused for another shopper's order, which is not found", [created(), placed()], place({ by: ravi }), { code: 'order_not_found' }],
    ['is refused for an order that was never created', [], place({ by: meera }), { code: 'order_not_found' }],
    [
      'is refused with both prices when a price rose since checkout',
      [created()],
      place({ offers: dearer }),
      changedOffer(oudSaffronMajlis, 'Oud Saffron Majlis', 3_450_00, 3_600_00),
    ],
    [
      'is refused for a lower price too',
      [created()],
      place({ offers: createOffers({ gulab: { price: paise(2_000_00) } }) }),
      changedOffer(ruhGulab, 'Ruh Gulab', 2_450_00, 2_000_00),
    ],
  ]);
  test.each([{ inStock: false }, { removed: true }, { price: paise(0) }])(
    'is refused with the name of a perfume that became unavailable since checkout: %o',
    (gulab) =>
      expectDecision(order, [created()], place({ offers: createOffers({ gulab }) }), changedOffer(ruhGulab, 'Ruh Gulab', 2_450_00, null)),
  );
  test('is possible for a day after checkout, to the millisecond', () => {
    expectDecision(order, [created({ createdAt: morning })], place({ now: instant('2026-11-15T05:00:00.000Z') }), [
      placed('COD', instant('2026-11-15T05:00:00.000Z')),
    ]);
    expectDecision(order, [created({ createdAt: morning })], place({ now: instant('2026-11-15T05:00:00.001Z') }), {
      code: 'order_expired',
    });
  });
});

describe('a shipping address', () => {
  test('is blank in a new form, and in an order that was stored without one', () => {
    expect(BLANK_FORM.shipping).toEqual({ ...NO_ADDRESS, country: 'India' });
    expect(BLANK_FORM).toEqual({ shipping: normalizeShipping(BLANK_FORM.shipping), giftWrap: false, giftMessage: '', note: '' });
  });
  test('needs every field except the second address line', () =>
    expect(missingShippingFields({ ...BLANK_FORM.shipping, country: ' ' })).toEqual({
      name: 'Required',
      address1: 'Required',
      city: 'Required',
      state: 'Required',
      postalCode: 'Required',
      country: 'Required',
      phone: 'Required',
      email: 'Required',
    }));
  test.each(['', ' ', '\t\n', '\u00a0', '\u200b\u2060'])('counts as missing in a field with invisible characters only: %j', (blank) =>
    expect(missingShippingFields({ ...home, city: blank })).toEqual({ city: 'Required' }),
  );
  test('without errors is accepted, up to the last character', () =>
    expect(shippingErrors({ ...home, postalCode: '6'.repeat(20) })).toEqual({}));
  test.each(shippingFields)('has a maximum length in the field %s', (field) =>
    expect(shippingErrors({ ...home, [field]: `${'x'.repeat(300)}@example.com` })).toEqual({
      [field]: expect.stringMatching(/^At most \d+ characters$/),
    }),
  );
  test('is refused with a wrong e-mail address', () =>
    expect(shippingErrors({ ...home, email: 'meera@gmail..com' })).toEqual({ email: NOT_AN_EMAIL }));
  test('has its e-mail address in plain signs', () =>
    expect(normalizeShipping({ ...home, email: ' ｍｅｅｒａ＠ｇｍａｉｌ．ｃｏｍ' })).toEqual({ ...home, email: 'meera@gmail.com' }));
  test('is stored without line breaks', () =>
    expect(Object.values(normalizeShipping({ ...home, name: 'Meera\r\nBcc: x@y', address2: 'a\u2028b' })).join('')).not.toMatch(
      /[\r\n\u2028]/,
    ));
  test('is stored without unknown fields', () =>
    expect(Object.keys(normalizeShipping(Object.assign({ isAdmin: 'yes' }, home))).toSorted()).toEqual([...shippingFields].toSorted()));
});
