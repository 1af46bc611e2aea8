import { maxPosition, WrongRevision, type CommandMetadata, type LogPosition, type StreamHead } from '#domain/event-store.ts';
import type { ShortProduct } from '#domain/order/checkout.ts';
import { orderStream } from '#domain/order/order.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { stock, type ReserveStock, stockStream } from '#domain/stock/stock.ts';

import { Rejected } from '../../command-handler/execute.ts';
import type { Shop } from '../../shop.ts';

type Line = { readonly productId: ProductId; readonly quantity: number };

/** An order that is about to be placed; `head` is the event after which its placing is decided. */
export type Reserving = { readonly id: OrderId; readonly head: StreamHead; readonly lines: readonly Line[] };

type Deps = Pick<Shop, 'store' | 'execute' | 'now'>;

/**
 * Reserves the bottles of the lines, which are all counted. Idempotent. Returns the position of the newest reservation.
 *
 * Each reservation is decided on a state of the stock that is older than a look at the order, and is appended only if no other event came
 * between. So a delayed request cannot reserve bottles for an order that was changed or shipped meanwhile.
 *
 * Throws `not_enough_in_stock`, with which some lines may stay reserved (see `abandonPlacing`); `WrongRevision` of the order's stream when
 * the order has changed.
 */
export const reserve = async (
  { store, execute, now }: Deps,
  { id, head, lines }: Reserving,
  metadata: CommandMetadata,
): Promise<LogPosition | undefined> => {
  const stream = orderStream(id);
  const short: ShortProduct[] = [];
  const reserveLine = async ({ productId, quantity }: Line): Promise<LogPosition | undefined> => {
    const command = async (): Promise<ReserveStock> => {
      const { events } = await store.read(stream, head);
      if (events.length > 0) throw new WrongRevision(stream, head.revision, head.revision + events.length);
      return { type: 'ReserveStock', order: id, quantity, orderRevision: head.revision, now: now() };
    };
    try {
      return (await execute(stock, stockStream(productId), command, metadata, { together: true })).position;
    } catch (error) {
      if (!(error instanceof Rejected) || error.rejection.code !== 'stock_too_low') throw error;
      short.push({ productId, available: error.rejection.available });
      return undefined;
    }
  };
  const settled = await Promise.allSettled(lines.map(reserveLine));
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  if (short.length > 0) throw new Rejected({ code: 'not_enough_in_stock', products: short });
  return maxPosition(settled.map((each) => (each.status === 'fulfilled' ? each.value : undefined)));
};
