import { describe, expect, test } from 'vitest';

import { instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { anOrder, offersOf, evening, gulabLine, meera, morning, noon, oudLine, ravi } from '../testing/carts.ts';
import { given } from '../testing/given.ts';
import {
  cancelled,
  confirmed,
  create,
  created,
  historyOf,
  home,
  orderAfter,
  place,
  placed,
  revised,
  soldLines,
} from '../testing/orders.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import { BLANK_FORM, missingShippingFields, normalizeShipping, shippingErrors, shippingFields } from './checkout.ts';
import { order } from './order.ts';
import { viewOrder } from './view.ts';

const [oudSold, gulabSold] = soldLines;
const withOud = (unitPrice: Paise) => [{ ...oudSold, unitPrice }, gulabSold];

describe('checking out', () => {
  test('a cart becomes an order with current names, pictures and prices', () => given(order).when(create()).thenHappened(created()));
  test('an empty cart does not', () =>
    given(order)
      .when(create({ lines: [] }))
      .thenRejected({ code: 'cart_empty' }));
  test('a missing field is named', () =>
    given(order)
      .when(create({ shipping: { ...home, city: ' \t', phone: '' } }))
      .thenRejected({ code: 'checkout_invalid', errors: { city: 'Required', phone: 'Required' } }));
  test('a gift message has at most five hundred characters', () =>
    given(order)
      .when(create({ giftMessage: 'x'.repeat(501) }))
      .thenRejected({ code: 'checkout_invalid', errors: { giftMessage: 'At most 500 characters' } }));
  test('a gift message keeps its lines', () =>
    given(order)
      .when(create({ giftWrap: true, giftMessage: ' For Amma,\r\nwith love \n' }))
      .thenHappened(created({ giftWrap: true, giftMessage: 'For Amma,\nwith love' })));
  test('an order note has at most five hundred characters', () =>
    given(order)
      .when(create({ note: 'x'.repeat(501) }))
      .thenRejected({ code: 'checkout_invalid', errors: { note: 'At most 500 characters' } }));
  test('an order note keeps its lines', () =>
    given(order)
      .when(create({ note: ' Ring twice,\r\nplease \n' }))
      .thenHappened(created({ note: 'Ring twice,\nplease' })));
  test('an address is stored in single lines, without surrounding blanks', () =>
    given(order)
      .when(create({ shipping: { ...home, name: ' Meera\r\n Nair ' } }))
      .thenHappened(created()));
  test.each([{ inStock: false }, { removed: true }, { price: paise(0) }])('a perfume that can no longer be bought is named: %o', (gulab) =>
    given(order)
      .when(create({ offers: offersOf({ gulab }) }))
      .thenRejected({ code: 'items_unavailable', products: [{ productId: ruhGulab, name: 'Ruh Gulab' }] }),
  );
});

describe('counted perfumes', () => {
  test.each([2, 0])('of which only %i are available are not checked out', (available) =>
    given(order)
      .when(create({ lines: [oudLine(3), gulabLine()], offers: offersOf({ oud: { available } }) }))
      .thenRejected({ code: 'not_enough_in_stock', products: [{ productId: oudSaffronMajlis, available }] }),
  );
  test('that suffice are checked out, and placed when all of them are reserved', () => {
    const offers = offersOf({ oud: { available: 2 } });
    given(order).when(create({ offers })).thenHappened(created());
    given(order, created())
      .when(place({ offers: offersOf({ oud: { available: 0 } }) }))
      .thenHappened(placed());
  });
});

describe('a placing that was given up', () => {
  const abandon = { type: 'AbandonPlacing', now: noon } as const;
  const abandoned = { type: 'PlacingAbandoned', data: { abandonedAt: noon } } as const;
  test('leaves the draft as it is, but for its revision', () => {
    given(order, created()).when(abandon).thenHappened(abandoned);
    given(order, created(), abandoned).when(place()).thenHappened(placed());
  });
  test('is none once the order is placed', () => given(order, created(), placed()).when(abandon).thenNothing());
});

describe('checking out the same cart again', () => {
  const later = { now: noon };

  test('changes nothing without a difference', () => given(order, created()).when(create(later)).thenNothing());
  test('revises the address', () =>
    given(order, created())
      .when(create({ ...later, shipping: { ...home, city: 'Thrissur' } }))
      .thenHappened(revised({ shippingAddress: { ...home, city: 'Thrissur' } })));
  test('revises the gift wrap', () =>
    given(order, created())
      .when(create({ ...later, giftWrap: true }))
      .thenHappened(revised({ giftWrap: true })));
  test('revises the gift message', () =>
    given(order, created())
      .when(create({ ...later, giftMessage: 'For Amma' }))
      .thenHappened(revised({ giftMessage: 'For Amma' })));
  test('revises the note', () =>
    given(order, created())
      .when(create({ ...later, note: 'Ring twice' }))
      .thenHappened(revised({ note: 'Ring twice' })));
  test('takes the note away', () => {
    given(order, created({ note: 'Ring twice' }))
      .when(create(later))
      .thenHappened(revised());
    expect(viewOrder(anOrder, orderAfter(created({ note: 'Ring twice' }), revised())).note).toBe('');
  });
  test('takes the current prices', () =>
    given(order, created())
      .when(create({ ...later, offers: offersOf({ oud: { price: paise(3_600_00) } }) }))
      .thenHappened(revised({ lines: withOud(paise(3_600_00)) })));
  test('after it was placed gives the same order, whatever the form contains', () =>
    given(order, created(), placed())
      .when(create({ now: evening, giftWrap: true, shipping: BLANK_FORM.shipping }))
      .thenNothing());
  test('after it was cancelled starts again', () => {
    given(order, created(), cancelled())
      .when(create({ now: noon }))
      .thenHappened(created({ createdAt: noon }));
    expect(orderAfter(created(), cancelled(), created({ createdAt: noon })).history).toEqual([{ status: 'created', at: noon, note: '' }]);
  });
  test('after a day takes the current prices for another day', () => {
    const nextDay = instant('2026-11-15T05:00:00.001Z');
    given(order, created())
      .when(create({ now: nextDay }))
      .thenHappened(revised({ revisedAt: nextDay }));
    given(order, created(), revised({ revisedAt: nextDay }))
      .when(place({ now: nextDay }))
      .thenHappened(placed('COD', nextDay));
  });
  test('by another shopper finds no order', () =>
    given(order, created())
      .when(create({ by: ravi }))
      .thenRejected({ code: 'order_not_found' }));
});

describe('placing an order', () => {
  test('a created order is placed', () => given(order, created()).when(place()).thenHappened(placed()));
  test('payment in advance is recorded as the method, never as paid', () => {
    given(order, created())
      .when(place({ method: 'Prepaid' }))
      .thenHappened(placed('Prepaid'));
    expect(orderAfter(created(), placed('Prepaid')).status).toBe('pending');
  });
  test.each(['pending', 'confirmed', 'shipped', 'delivered', 'returned'] as const)(
    'placing it again when it is %s changes nothing',
    (status) =>
      given(order, ...historyOf[status])
        .when(place({ now: evening }))
        .thenNothing(),
  );
  test('placing it again after a price changed changes nothing', () =>
    given(order, created(), placed())
      .when(place({ offers: offersOf({ oud: { price: paise(1_00) } }) }))
      .thenNothing());
  test('placing it again with the other payment method is refused', () =>
    given(order, created(), placed(), confirmed())
      .when(place({ method: 'Prepaid' }))
      .thenRejected({ code: 'order_already_placed' }));
  test.each([
    ['before it was placed', [created(), cancelled()]],
    ['after', [created(), placed(), cancelled()]],
  ])('a cancelled order is not placed: cancelled %s', (_, history) =>
    given(order, ...history)
      .when(place())
      .thenRejected({ code: 'order_cancelled' }),
  );
  test('a price that changed since checkout is named, with both prices', () =>
    given(order, created())
      .when(place({ offers: offersOf({ oud: { price: paise(3_600_00) } }) }))
      .thenRejected({
        code: 'offer_changed',
        products: [{ productId: oudSaffronMajlis, name: 'Oud Saffron Majlis', was: paise(3_450_00), now: paise(3_600_00) }],
      }));
  test('a lower price is named too', () =>
    given(order, created())
      .when(place({ offers: offersOf({ gulab: { price: paise(2_000_00) } }) }))
      .thenRejected({
        code: 'offer_changed',
        products: [{ productId: ruhGulab, name: 'Ruh Gulab', was: paise(2_450_00), now: paise(2_000_00) }],
      }));
  test.each([{ inStock: false }, { removed: true }, { price: paise(0) }])(
    'a perfume that became unavailable since checkout is named: %o',
    (gulab) =>
      given(order, created())
        .when(place({ offers: offersOf({ gulab }) }))
        .thenRejected({ code: 'offer_changed', products: [{ productId: ruhGulab, name: 'Ruh Gulab', was: paise(2_450_00), now: null }] }),
  );
  test('a refreshed order can be placed at the new price', () => {
    const offers = offersOf({ oud: { price: paise(3_600_00) } });
    given(order, created(), revised({ lines: withOud(paise(3_600_00)) }))
      .when(place({ offers }))
      .thenHappened(placed());
  });
  test('a checkout is valid for a day, to the millisecond', () => {
    given(order, created({ createdAt: morning }))
      .when(place({ now: instant('2026-11-15T05:00:00.000Z') }))
      .thenHappened(placed('COD', instant('2026-11-15T05:00:00.000Z')));
    given(order, created({ createdAt: morning }))
      .when(place({ now: instant('2026-11-15T05:00:00.001Z') }))
      .thenRejected({ code: 'order_expired' });
  });
  test('another shopper’s order is not found', () => {
    given(order, created())
      .when(place({ by: ravi }))
      .thenRejected({ code: 'order_not_found' });
    given(order, created(), placed())
      .when(place({ by: ravi }))
      .thenRejected({ code: 'order_not_found' });
  });
  test('an order that was never created is not found', () =>
    given(order)
      .when(place({ by: meera }))
      .thenRejected({ code: 'order_not_found' }));
});

describe('a shipping address', () => {
  test('needs every field but the second address line', () =>
    expect(missingShippingFields(BLANK_FORM.shipping)).toEqual({
      name: 'Required',
      address1: 'Required',
      city: 'Required',
      state: 'Required',
      postalCode: 'Required',
      country: 'Required',
      phone: 'Required',
      email: 'Required',
    }));
  test.each(['', ' ', '\t\n', '\u00a0', '\u200b\u2060'])('a field of blanks counts as empty: %j', (blank) =>
    expect(missingShippingFields({ ...home, city: blank })).toEqual({ city: 'Required' }),
  );
  test('that is complete has no errors', () => expect(shippingErrors(home)).toEqual({}));
  test.each(shippingFields)('limits the length of the field %s', (field) =>
    expect(Object.keys(shippingErrors({ ...home, [field]: `${'x'.repeat(300)}@example.com` }))).toEqual([field]),
  );
  test.each(['meera', 'meera@', '@example.com', 'meera nair@example.com', 'a@b@c', 'a@b.com,c@d.com', '<a@b.com>'])(
    'the confirmation cannot go to %s',
    (email) => expect(shippingErrors({ ...home, email })).toEqual({ email: 'Not an e-mail address' }),
  );
  test('removes line breaks from every field', () =>
    expect(Object.values(normalizeShipping({ ...home, name: 'Meera\r\nBcc: x@y', address2: 'a\u2028b' })).join('')).not.toMatch(
      /[\r\n\u2028]/,
    ));
  test('drops unknown fields', () =>
    expect(Object.keys(normalizeShipping(Object.assign({ isAdmin: 'yes' }, home))).toSorted()).toEqual([...shippingFields].toSorted()));
});
