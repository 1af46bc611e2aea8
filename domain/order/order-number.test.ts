import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { drawOrderNumber, orderNumber, shopperId } from '../shared/ids.ts';
import { anOrder, meera, ravi } from '../testing/carts.ts';
import { deriveOrderId, type KeyedHash } from './checkout.ts';
import { orderIdFromStream, orderStream } from './order.ts';

const hashUnder =
  (key: string): KeyedHash =>
  (text) =>
    createHmac('sha256', key).update(text).digest('hex');
const hash = hashUnder('a key of the shop');

test('the id of an order is in the name of its stream, and made of 32 hex digits of a hash', () => {
  expect(orderIdFromStream(orderStream(anOrder))).toBe(anOrder);
  expect(orderStream(anOrder)).toBe(`order-${anOrder}`);
  for (const short of ['abc', `x${'a'.repeat(32)}`]) expect(() => deriveOrderId(meera, 0, () => short)).toThrow('at least 32 hex digits');
});

describe('the number of an order', () => {
  test('has only characters that are not easily confused', () =>
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const drawn = drawOrderNumber((limit) => numbers.next().value % limit);
        expect(drawn).toMatch(/^RH-[2-9A-HJKMNP-Z]{8}$/);
        expect(orderNumber(drawn)).toBe(drawn);
      }),
    ));
  test('uses every allowed character', () => {
    const drawn = Array.from({ length: 31 }, (_, index) => drawOrderNumber(() => index).slice(3, 4)).join('');
    expect(drawn).toBe('23456789ABCDEFGHJKMNPQRSTUVWXYZ');
  });
  test.each(['RH-4WPDX9C', 'RH-4WPDX9CTT', 'RH-4WPDX9C0', 'RH-4WPDX9CI', 'rh-4wpdx9ct', '4WPDX9CT', 'RH-4WPDX9CT\n'])(
    'is refused if it is %j',
    (text) => expect(() => orderNumber(text)).toThrow('Not an order number'),
  );
});

describe('the id of an order', () => {
  test('is a UUID', () =>
    fc.assert(
      fc.property(fc.nat(), (revision) => {
        expect(deriveOrderId(meera, revision, hash)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    ));
  test('is the same for each checkout of the same version of a cart', () =>
    expect(deriveOrderId(meera, 4, hash)).toBe(deriveOrderId(meera, 4, hash)));
  test('differs between versions of a cart and between carts', () => {
    const shoppers = [meera, ravi, shopperId('meera-1')];
    const ids = shoppers.flatMap((shopper) => Array.from({ length: 500 }, (_, revision) => deriveOrderId(shopper, revision, hash)));
    expect(new Set(ids).size).toBe(1500);
  });
  test('cannot be computed without the key', () =>
    expect(deriveOrderId(meera, 4, hashUnder('another key'))).not.toBe(deriveOrderId(meera, 4, hash)));
  test('uses all bits that a UUID leaves free', () => {
    const variants = Array.from({ length: 100 }, (_, revision) => deriveOrderId(meera, revision, hash).charAt(19));
    expect(new Set(variants)).toEqual(new Set('89ab'));
  });
  test('needs a hash of at least 32 hex digits', () => expect(() => deriveOrderId(meera, 4, () => 'short')).toThrow('32 hex digits'));
});
