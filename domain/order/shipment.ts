import { accept, reject, type Decision } from '../shared/decider.ts';
import { personalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { OrderEvent } from './events.ts';
import type { Order, OrderStatus } from './rules.ts';
import { findShipmentProblems, mapShipment, shipmentFields, type ShipmentTexts } from './shipment-texts.ts';

/** This command is sent by staff: the texts replace all that the order has. */
export type CorrectShipment = { readonly type: 'CorrectShipment'; readonly texts: ShipmentTexts; readonly now: Instant };
/** This command is sent by staff: their mark on a confirmed order. */
export type MarkPacked = { readonly type: 'MarkPacked'; readonly packed: boolean; readonly now: Instant };

export type ShipmentRejection =
  | { readonly code: 'order_not_found' }
  | { readonly code: 'shipment_invalid'; readonly errors: Partial<ShipmentTexts> }
  | { readonly code: 'not_on_its_way'; readonly status: OrderStatus }
  | { readonly code: 'not_to_pack'; readonly status: OrderStatus };

type Decided = Decision<OrderEvent, ShipmentRejection>;

/** Changes nothing if the order has these texts already. */
export const correctShipment = (order: Order, { texts, now: correctedAt }: CorrectShipment): Decided => {
  if (order.status === 'none') return reject({ code: 'order_not_found' });
  const errors = findShipmentProblems(texts);
  if (Object.keys(errors).length > 0) return reject({ code: 'shipment_invalid', errors });
  const { status, shopper, shipment } = order;
  if (status !== 'shipped') return reject({ code: 'not_on_its_way', status });
  if (shipment && shipmentFields.every((field) => shipment[field] === texts[field])) return accept();
  return accept({ type: 'ShipmentCorrected', data: { shopper, ...mapShipment((field) => personalText(texts[field])), correctedAt } });
};

export const markPacked = (order: Order, { packed, now }: MarkPacked): Decided => {
  if (order.status === 'none') return reject({ code: 'order_not_found' });
  if (order.status !== 'confirmed') return reject({ code: 'not_to_pack', status: order.status });
  if (packed === (order.packedAt !== null)) return accept();
  return accept(packed ? { type: 'OrderPacked', data: { packedAt: now } } : { type: 'OrderUnpacked', data: { unpackedAt: now } });
};
