import { cart as carts, type Cart } from '#domain/cart/cart.ts';
import type { CartEvent, CartLine } from '#domain/cart/events.ts';
import { START, type Feed, type LogPosition, type Recorded } from '#domain/event-store.ts';
import type { CreditNoteEvent, InvoiceEvent } from '#domain/invoice/events.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order as orders } from '#domain/order/order.ts';
import type { Order } from '#domain/order/rules.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { payment as payments } from '#domain/payment/payment.ts';
import type { Payment } from '#domain/payment/rules.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { streamId } from '#projections/engine/define-projector.ts';

import { streamCategories } from '../../event-store/stored-event.ts';
import { StockBook } from './stock-book.ts';

const PAGE = 1_000;

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

class Reading {
  events = 0;
  readonly orders = new Map<string, Order>();
  readonly placings = new Map<string, number>();
  /** The lines of each shopper's cart at each revision. */
  readonly carts = new Map<string, (readonly CartLine[])[]>();
  /** The number of additions by request id. */
  readonly additions = new Map<string, number>();
  /** Payments by order id. */
  readonly payments = new Map<string, Payment>();
  /** The number of times that each refund was settled. */
  readonly settlings = new Map<string, number>();
  readonly stock = new StockBook();
  /** Maps an order that was cancelled because nobody paid in time to the moment of that. */
  readonly lapsed = new Map<string, Instant>();
  readonly invoices: Recorded<InvoiceEvent>[] = [];
  readonly creditNotes: Recorded<CreditNoteEvent>[] = [];
  readonly #states = new Map<string, Cart>();

  take(event: Recorded): void {
    this.events += 1;
    // A stream contains only events of its own category.
    if (event.stream.startsWith('order-')) this.#order(streamId(event.stream), event as Recorded<OrderEvent>);
    if (event.stream.startsWith('cart-')) this.#cart(streamId(event.stream), event as Recorded<CartEvent>);
    if (event.stream.startsWith('payment-')) this.#payment(streamId(event.stream), event as Recorded<PaymentEvent>);
    if (event.stream.startsWith('stock-')) this.stock.take(event as Recorded<StockEvent>);
    if (event.stream.startsWith('invoices-')) this.invoices.push(event as Recorded<InvoiceEvent>);
    if (event.stream.startsWith('credit-notes-')) this.creditNotes.push(event as Recorded<CreditNoteEvent>);
  }

  #order(id: string, event: Recorded<OrderEvent>): void {
    const order = orders.evolve(this.orders.get(id) ?? orders.initial, event);
    this.orders.set(id, order);
    if (event.metadata.commandId === `unpaid-${id}`) this.lapsed.set(id, event.metadata.recordedAt);
    if (event.type !== 'OrderPlaced') return;
    count(this.placings, id);
    this.stock.orderPlaced(id, order);
  }

  #payment(id: string, event: Recorded<PaymentEvent>): void {
    this.payments.set(id, payments.evolve(this.payments.get(id) ?? payments.initial, event));
    if (event.type === 'RefundSettled') count(this.settlings, event.data.refund);
  }

  #cart(shopper: string, event: Recorded<CartEvent>): void {
    const state = carts.evolve(this.#states.get(shopper) ?? carts.initial, event);
    this.#states.set(shopper, state);
    const versions = this.carts.get(shopper) ?? [];
    versions.push(state.lines);
    this.carts.set(shopper, versions);
    if (event.type === 'ItemAdded') count(this.additions, event.metadata.correlationId);
  }
}

export type LogBook = Readonly<Omit<Reading, 'take'>>;

export const readLog = async (feed: Pick<Feed, 'page'>): Promise<LogBook> => {
  const reading = new Reading();
  for (let after: LogPosition | undefined = START; after !== undefined;) {
    const page: readonly Recorded[] = await feed.page(after, PAGE, streamCategories);
    for (const event of page) reading.take(event);
    after = page.at(-1)?.position;
  }
  return reading;
};
