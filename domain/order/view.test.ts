import { describe, expect, test } from 'vitest';

import { instant } from '../shared/time.ts';
import { anOrder, evening, morning, noon } from '../testing/carts.ts';
import { confirmed, created, home, orderAfter, placed, soldLines } from '../testing/orders.ts';
import { estimatedDelivery, isPlaced, isUnderWay, orderStatuses } from './rules.ts';
import { viewOrder } from './view.ts';

const lines = [
  {
    product: {
      _id: 'oud-saffron-majlis',
      id: 'oud-saffron-majlis',
      name: 'Oud Saffron Majlis',
      price: '₹3,450.00',
      productImageUrl: ['/pictures/products/oud-saffron-majlis.webp'],
      details: 'Smoked oud · Kashmiri saffron · rose absolute',
    },
    quantity: 2,
    hsn: '3303',
    rate: 18,
  },
  {
    product: {
      _id: 'ruh-gulab',
      id: 'ruh-gulab',
      name: 'Ruh Gulab',
      price: '₹2,450.00',
      productImageUrl: ['/pictures/products/ruh-gulab.webp'],
      details: 'Pure rose oil · Kannauj · deg-bhapka',
    },
    quantity: 1,
    hsn: '3301',
    rate: 18,
  },
];

describe("an order's view", () => {
  test('of a draft has no placement', () =>
    expect(viewOrder(anOrder, orderAfter(created()))).toEqual({
      _id: anOrder,
      orderNumber: null,
      status: 'created',
      items: lines,
      shippingAddress: home,
      subtotal: 9350,
      tax: 1683,
      shipping: 0,
      discount: 0,
      total: 11033,
      giftWrap: false,
      giftMessage: '',
      note: '',
      paymentMethod: null,
      createdAt: morning,
      placedAt: null,
      estimatedDelivery: null,
      history: [{ status: 'created', at: morning }],
      payment: { status: 'none', amount: 11033, refunded: 0, refundable: 0, refunds: [] },
      return: null,
      returns: [],
      placeOfSupply: 'Kerala',
      packedAt: null,
      shipment: null,
    }));
  test.each([
    ['Utopia', 'India', null],
    ['Utopia', 'Nepal', 'Other Country'],
    ['Kerela', '', 'Kerala'],
  ])('of %j in %j has the place of supply %j', (state, country, placeOfSupply) =>
    expect(viewOrder(anOrder, orderAfter(created({ shippingAddress: { ...home, state, country } })))).toMatchObject({ placeOfSupply }),
  );
  test('of a placed order has number, method, delivery window and history', () =>
    expect(
      viewOrder(anOrder, orderAfter(created({ giftWrap: true }), placed('Prepaid'), confirmed('Confirmed by telephone'))),
    ).toMatchObject({
      orderNumber: 'RH-4WPDX9CT',
      status: 'confirmed',
      giftWrap: true,
      total: 11072,
      paymentMethod: 'Prepaid',
      payment: { status: 'due', amount: 11072, refunded: 0, refundable: 0, refunds: [] },
      placedAt: noon,
      estimatedDelivery: { from: '2026-11-19', to: '2026-11-21' },
      history: [
        { status: 'created', at: morning },
        { status: 'pending', at: noon },
        { status: 'confirmed', at: evening, note: 'Confirmed by telephone' },
      ],
    }));
  test('of a product without a picture has no picture', () => {
    const bare = orderAfter(created({ lines: [{ ...soldLines[0], picture: '' }] }));
    expect(viewOrder(anOrder, bare).items.map((item) => item.product.productImageUrl)).toEqual([[]]);
  });
});

describe('the delivery window', () => {
  test('is five to seven days after the day of placing in India', () =>
    expect(estimatedDelivery(instant('2026-11-14T18:29:59.999Z'))).toEqual({ from: '2026-11-19', to: '2026-11-21' }));
  test('is a day later for an order placed after midnight in India', () =>
    expect(estimatedDelivery(instant('2026-11-14T18:30:00.000Z'))).toEqual({ from: '2026-11-20', to: '2026-11-22' }));
  test('counts leap days', () =>
    expect(estimatedDelivery(instant('2028-02-24T06:00:00.000Z'))).toEqual({ from: '2028-02-29', to: '2028-03-02' }));
});

test('an order is under way from its placing to its delivery', () =>
  expect(orderStatuses.filter(isUnderWay)).toEqual(['pending', 'confirmed', 'shipped']));

test('an order is placed as soon as it has a number', () =>
  expect([{ status: 'none' } as const, orderAfter(created()), orderAfter(created(), placed())].map(isPlaced)).toEqual([
    false,
    false,
    true,
  ]));
