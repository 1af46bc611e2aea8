import { describe, expect, test } from 'vitest';

import { home } from '../testing/orders.ts';
import { missingShippingFields, shippingErrors, shippingFields, normalizeShipping } from './checkout-form.ts';

describe('a shipping address', () => {
  test('needs every field but the second address line', () =>
    expect(missingShippingFields({})).toEqual({
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
