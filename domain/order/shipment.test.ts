import { describe, expect, test } from 'vitest';

import { ERASED } from '../event-store.ts';
import { NO_TEXT } from '../shared/text.ts';
import { anOrder, evening } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import * as the from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import { order } from './order.ts';
import { orderStatuses } from './rules.ts';
import { findShipmentProblems, NOT_A_LINK, type ShipmentTexts } from './shipment-texts.ts';
import { viewOrder } from './view.ts';

const { historyOf, moveTo, orderAfter, parcel, shipped, shipmentCorrected } = the;
const none: ShipmentTexts = { courier: '', trackingNumber: '', trackingUrl: '' };
const correct = (texts: Partial<ShipmentTexts> = parcel) =>
  ({ type: 'CorrectShipment', texts: { ...none, ...texts }, now: evening }) as const;
const mark = (packed: boolean) => ({ type: 'MarkPacked', packed, now: evening }) as const;
const inParcel = [...historyOf.confirmed, shipped('', evening, parcel)];
const packed = [...historyOf.confirmed, the.packed()];

describe('a shipment', () => {
  testDecisions(order, [
    ['is recorded by shipping', historyOf.confirmed, moveTo('shipped', { shipment: parcel }), [shipped('', evening, parcel)]],
    ['leaves out what was not typed', historyOf.confirmed, moveTo('shipped', { shipment: none }), [shipped()]],
    [
      'is refused with a wrong link',
      historyOf.confirmed,
      moveTo('shipped', { shipment: { ...parcel, trackingUrl: 'javascript:alert(1)' } }),
      { code: 'shipment_invalid', errors: { trackingUrl: NOT_A_LINK } },
    ],
    ['is corrected', historyOf.shipped, correct(), [shipmentCorrected()]],
    ['is emptied', inParcel, correct({}), [shipmentCorrected(none)]],
    ['again changes nothing', inParcel, correct(), []],
    ['is not found without an order', [], correct(), { code: 'order_not_found' }],
  ]);
  test.each(orderStatuses.filter((status) => status !== 'shipped'))('of an order that is %s is not corrected', (status) =>
    expectDecision(order, historyOf[status], correct(), { code: 'not_on_its_way', status }),
  );

  test('is shown as it was corrected, with the time of shipping', () => {
    const shown = (...events: readonly OrderEvent[]) => viewOrder(anOrder, orderAfter(...events)).shipment;
    expect(shown(...historyOf.confirmed)).toBeNull();
    expect(shown(...historyOf.shipped)).toEqual({ ...none, shippedAt: evening });
    expect(shown(...historyOf.shipped, shipmentCorrected())).toEqual({ ...parcel, shippedAt: evening });
    const erased = { courier: ERASED, trackingNumber: ERASED, trackingUrl: ERASED };
    expect(shown(...historyOf.shipped, shipmentCorrected(erased))).toEqual({ ...erased, trackingUrl: NO_TEXT, shippedAt: evening });
  });

  test.each([
    'http://a.example',
    'https://track.example:8443/parcel/4711?lang=hi#now',
    'HTTPS://TRACK.EXAMPLE/a@b',
    'https://xn--80ak6aa92e.com/मुंबई',
  ])('may have the link %s', (trackingUrl) => expect(findShipmentProblems({ ...none, trackingUrl })).toEqual({}));

  test.each([
    'track.example/4711',
    '//track.example',
    'ftp://track.example',
    'https:track.example',
    'https://user@track.example',
    'https://bluedart.com:x@evil.example/',
    'https://bluedart.com\\@evil.example/',
    'https://track.example/a b',
    'https://track.example/\u202egpj',
    'https://',
  ])('may not have the link %j', (trackingUrl) =>
    expect(findShipmentProblems({ ...none, trackingUrl })).toEqual({ trackingUrl: NOT_A_LINK }),
  );

  test.each([
    ['courier', 100],
    ['trackingNumber', 100],
    ['trackingUrl', 2_000],
  ] as const)('has a %s of at most %d characters', (field, most) => {
    const long = (length: number) => findShipmentProblems({ ...none, [field]: 'https://a.example/'.padEnd(length, 'x') });
    expect(long(most)).toEqual({});
    expect(long(most + 1)).toEqual({ [field]: `Please use at most ${most} characters` });
  });
});

describe('the mark that an order is packed', () => {
  testDecisions(order, [
    ['is set', historyOf.confirmed, mark(true), [the.packed()]],
    ['is set once', packed, mark(true), []],
    ['is taken back', packed, mark(false), [the.unpacked()]],
    ['is not taken back before it is set', historyOf.confirmed, mark(false), []],
    ['is not found without an order', [], mark(true), { code: 'order_not_found' }],
  ]);
  test.each(orderStatuses.filter((status) => status !== 'confirmed'))('is not set on an order that is %s', (status) =>
    expectDecision(order, historyOf[status], mark(true), { code: 'not_to_pack', status }),
  );
  test('leaves the order confirmed, and stays when it ships', () => {
    expect(viewOrder(anOrder, orderAfter(...packed))).toMatchObject({ status: 'confirmed', packedAt: evening });
    expect(viewOrder(anOrder, orderAfter(...packed, shipped()))).toMatchObject({ status: 'shipped', packedAt: evening });
    expect(orderAfter(...packed, the.unpacked()).packedAt).toBeNull();
  });
});
