import { describe, expect, test } from 'vitest';

import { instant } from '../shared/time.ts';
import { paise, type Paise } from '../shared/money.ts';
import { anOrder, createOffers, evening, gulabLine, meera, morning, noon, oudLine, ravi } from '../testing/carts.ts';
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
  test('an empty cart does not become an order', () =>
    given(order)
      .when(create({ lines: [] }))
      .thenRejected({ code: 'cart_empty' }));
  test('a missing field is named in the refusal', () =>
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
      .when(create({ offers: createOffers({ gulab }) }))
      .thenRejected({ code: 'items_unavailable', products: [{ productId: ruhGulab, name: 'Ruh Gulab' }] }),
  );
});

describe('counted perfumes', () => {
  test.each([2, 0])('are refused at checkout when only %i are available', (available) =>
    given(order)
      .when(create({ lines: [oudLine(3), gulabLine()], offers: createOffers({ oud: { available } }) }))
      .thenRejected({ code: 'not_enough_in_stock', products: [{ productId: oudSaffronMajlis, available }] }),
  );
  test('are checked out when enough are available, and placed when all are reserved', () => {
    const offers = createOffers({ oud: { available: 2 } });
    given(order).when(create({ offers })).thenHappened(created());
    given(order, created())
      .when(place({ offers: createOffers({ oud: { available: 0 } }) }))
      .thenHappened(placed());
  });
});

describe('abandoning a placing', () => {
  const abandon = { type: 'AbandonPlacing', now: noon } as const;
  const abandoned = { type: 'PlacingAbandoned', data: { abandonedAt: noon } } as const;
  test('changes only the revision of the draft', () => {
    given(order, created()).when(abandon).thenHappened(abandoned);
    given(order, created(), abandoned).when(place()).thenHappened(placed());
  });
  test('changes nothing once the order is placed', () => given(order, created(), placed()).when(abandon).thenNothing());
});

describe('checking out the same cart again', () => {
  const later = { now: noon };

  test('with the same form changes nothing', () => given(order, created()).when(create(later)).thenNothing());
  test('with another address revises it', () =>
    given(order, created())
      .when(create({ ...later, shipping: { ...home, city: 'Thrissur' } }))
      .thenHappened(revised({ shippingAddress: { ...home, city: 'Thrissur' } })));
  test('with another gift wrap revises it', () =>
    given(order, created())
      .when(create({ ...later, giftWrap: true }))
      .thenHappened(revised({ giftWrap: true })));
  test('with another gift message revises it', () =>
    given(order, created())
      .when(create({ ...later, giftMessage: 'For Amma' }))
      .thenHappened(revised({ giftMessage: 'For Amma' })));
  test('with another note revises it', () =>
    given(order, created())
      .when(create({ ...later, note: 'Ring twice' }))
      .thenHappened(revised({ note: 'Ring twice' })));
  test('without the note removes it', () => {
    given(order, created({ note: 'Ring twice' }))
      .when(create(later))
      .thenHappened(revised());
    expect(viewOrder(anOrder, orderAfter(created({ note: 'Ring twice' }), revised())).note).toBe('');
  });
  test('revises the prices to the current ones', () =>
    given(order, created())
      .when(create({ ...later, offers: createOffers({ oud: { price: paise(3_600_00) } }) }))
      .thenHappened(revised({ lines: withOud(paise(3_600_00)) })));
  test('after it was placed returns the same order, whatever the form contains', () =>
    given(order, created(), placed())
      .when(create({ now: evening, giftWrap: true, shipping: BLANK_FORM.shipping }))
      .thenNothing());
  test('after it was cancelled creates the order anew', () => {
    given(order, created(), cancelled())
      .when(create({ now: noon }))
      .thenHappened(created({ createdAt: noon }));
    expect(orderAfter(created(), cancelled(), created({ createdAt: noon })).history).toEqual([{ status: 'created', at: noon, note: '' }]);
  });
  test('after a day revises the prices, which are then valid for another day', () => {
    const nextDay = instant('2026-11-15T05:00:00.001Z');
    given(order, created())
      .when(create({ now: nextDay }))
      .thenHappened(revised({ revisedAt: nextDay }));
    given(order, created(), revised({ revisedAt: nextDay }))
      .when(place({ now: nextDay }))
      .thenHappened(placed('COD', nextDay));
  });
  test('as another shopper finds no order', () =>
    given(order, created())
      .when(create({ by: ravi }))
      .thenRejected({ code: 'order_not_found' }));
});

describe('placing an order', () => {
  test('places a created order', () => given(order, created()).when(place()).thenHappened(placed()));
  test('records prepaid as the method, and no payment', () => {
    given(order, created())
      .when(place({ method: 'Prepaid' }))
      .thenHappened(placed('Prepaid'));
    expect(orderAfter(created(), placed('Prepaid')).status).toBe('pending');
  });
  test.each(['pending', 'confirmed', 'shipped', 'delivered', 'returned'] as const)('changes nothing when the order is %s', (status) =>
    given(order, ...historyOf[status])
      .when(place({ now: evening }))
      .thenNothing(),
  );
  test('changes nothing the second time, even after a price change', () =>
    given(order, created(), placed())
      .when(place({ offers: createOffers({ oud: { price: paise(1_00) } }) }))
      .thenNothing());
  test('is refused the second time with another payment method', () =>
    given(order, created(), placed(), confirmed())
      .when(place({ method: 'Prepaid' }))
      .thenRejected({ code: 'order_already_placed' }));
  test.each([
    ['before it was placed', [created(), cancelled()]],
    ['after', [created(), placed(), cancelled()]],
  ])('is refused when the order was cancelled %s', (_, history) =>
    given(order, ...history)
      .when(place())
      .thenRejected({ code: 'order_cancelled' }),
  );
  test('is refused with both prices when a price changed since checkout', () =>
    given(order, created())
      .when(place({ offers: createOffers({ oud: { price: paise(3_600_00) } }) }))
      .thenRejected({
        code: 'offer_changed',
        products: [{ productId: oudSaffronMajlis, name: 'Oud Saffron Majlis', was: paise(3_450_00), now: paise(3_600_00) }],
      }));
  test('is refused for a lower price too', () =>
    given(order, created())
      .when(place({ offers: createOffers({ gulab: { price: paise(2_000_00) } }) }))
      .thenRejected({
        code: 'offer_changed',
        products: [{ productId: ruhGulab, name: 'Ruh Gulab', was: paise(2_450_00), now: paise(2_000_00) }],
      }));
  test.each([{ inStock: false }, { removed: true }, { price: paise(0) }])(
    'is refused with the name of a perfume that became unavailable since checkout: %o',
    (gulab) =>
      given(order, created())
        .when(place({ offers: createOffers({ gulab }) }))
        .thenRejected({ code: 'offer_changed', products: [{ productId: ruhGulab, name: 'Ruh Gulab', was: paise(2_450_00), now: null }] }),
  );
  test('succeeds at the new price after another checkout', () => {
    const offers = createOffers({ oud: { price: paise(3_600_00) } });
    given(order, created(), revised({ lines: withOud(paise(3_600_00)) }))
      .when(place({ offers }))
      .thenHappened(placed());
  });
  test('is possible for a day after checkout, to the millisecond', () => {
    given(order, created({ createdAt: morning }))
      .when(place({ now: instant('2026-11-15T05:00:00.000Z') }))
      .thenHappened(placed('COD', instant('2026-11-15T05:00:00.000Z')));
    given(order, created({ createdAt: morning }))
      .when(place({ now: instant('2026-11-15T05:00:00.001Z') }))
      .thenRejected({ code: 'order_expired' });
  });
  test("is refused for another shopper's order, which is not found", () => {
    given(order, created())
      .when(place({ by: ravi }))
      .thenRejected({ code: 'order_not_found' });
    given(order, created(), placed())
      .when(place({ by: ravi }))
      .thenRejected({ code: 'order_not_found' });
  });
  test('is refused for an order that was never created', () =>
    given(order)
      .when(place({ by: meera }))
      .thenRejected({ code: 'order_not_found' }));
});

describe('a shipping address', () => {
  test('needs every field except the second address line', () =>
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
  test.each(['', ' ', '\t\n', '\u00a0', '\u200b\u2060'])('counts as missing in a field with invisible characters only: %j', (blank) =>
    expect(missingShippingFields({ ...home, city: blank })).toEqual({ city: 'Required' }),
  );
  test('without errors is accepted', () => expect(shippingErrors(home)).toEqual({}));
  test.each(shippingFields)('has a maximum length in the field %s', (field) =>
    expect(Object.keys(shippingErrors({ ...home, [field]: `${'x'.repeat(300)}@example.com` }))).toEqual([field]),
  );
  test.each(['meera', 'meera@', '@example.com', 'meera nair@example.com', 'a@b@c', 'a@b.com,c@d.com', '<a@b.com>'])(
    'is refused with the e-mail address %s',
    (email) => expect(shippingErrors({ ...home, email })).toEqual({ email: 'Not an e-mail address' }),
  );
  test('is stored without line breaks', () =>
    expect(Object.values(normalizeShipping({ ...home, name: 'Meera\r\nBcc: x@y', address2: 'a\u2028b' })).join('')).not.toMatch(
      /[\r\n\u2028]/,
    ));
  test('is stored without unknown fields', () =>
    expect(Object.keys(normalizeShipping(Object.assign({ isAdmin: 'yes' }, home))).toSorted()).toEqual([...shippingFields].toSorted()));
});
