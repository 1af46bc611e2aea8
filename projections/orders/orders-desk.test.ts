import { viewOrder } from '#domain/order/view.ts';
import { anOrder, anotherOrder, meera, noon, visitor } from '#domain/testing/carts.ts';
import {
  aNumber,
  cancelled,
  claimed,
  confirmed,
  created,
  delivered,
  home,
  orderAfter,
  placed,
  returned,
  revised,
  shipped,
} from '#domain/testing/orders.ts';

import { describeProjector, type Happenings } from '../testing/describe-projector.ts';
import { rowsOfView, orderStream } from '../testing/order-histories.ts';
import { ordersDesk } from './orders-desk.ts';

/** With NUL, which Postgres refuses in texts. */
const zoe = { ...home, name: 'Zoë  D’Souza\0', email: 'Zoe@Example.com' };
const begun = [created({ shopper: visitor, shippingAddress: zoe }), placed()] as const;
const goneOn = [claimed(), confirmed('Packed'), shipped(), delivered(), returned('erased')] as const;
const anew = [created(), cancelled(), created({ shopper: meera }), revised({ giftWrap: true })] as const;

const happenings: Happenings = [
  [orderStream(anOrder), ...begun],
  [orderStream(anotherOrder), ...anew],
  [orderStream(anOrder), ...goneOn],
];

const changedBy = { kind: 'system', id: 'test' } as const;
const first = orderAfter(...begun, ...goneOn);
const second = orderAfter(...anew);

const rows = [
  { id: anOrder, order: first },
  { id: anotherOrder, order: second },
].map(({ id, order }) => ({
  order_id: id,
  ...rowsOfView({ ...viewOrder(id, order), changedBy, guest: false }),
}));

const desk = [
  {
    status: 'returned',
    placed_at: noon,
    buyer: 'zoe d’souza\nzoe@example.com',
    search: `${aNumber.toLowerCase()}\nzoe d’souza\nzoe@example.com`,
  },
  { status: 'created', placed_at: null, buyer: 'meera nair\nmeera@example.com', search: null },
];

describeProjector(ordersDesk, happenings, {
  orders_desk: rows.map(({ order_id, standing }, index) => ({ order_id, ...desk[index], guest: false, standing })),
  orders_desk_contents: rows.map(({ order_id, contents }) => ({ order_id, contents })),
});
