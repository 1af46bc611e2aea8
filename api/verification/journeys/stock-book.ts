import type { Recorded } from '#domain/event-store.ts';
import type { OrderLine } from '#domain/order/events.ts';
import type { Order } from '#domain/order/rules.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { streamId } from '#projections/engine/define-projector.ts';

/** A line of a placed order whose product was counted at the time. `counting` tells which period of counting that was. */
export type CountedLine = Pick<OrderLine, 'productId' | 'quantity'> & { readonly order: string; readonly counting: number };

/** The stock from one event until the next: bottles that nobody had reserved, and bottles reserved by order. */
type Level = { readonly at: Instant; readonly available: number; readonly open: ReadonlyMap<string, number> };

/** The stock of one product since counting began. It is added up from events without their decider. */
export class Bottles {
  isCounted = false;
  counting = 1;
  onHand = 0;
  reserved = 0;
  /** Bottles counted and received, less bottles removed. */
  supplied = 0;
  /** Reserved bottles by order. */
  readonly open = new Map<string, number>();
  readonly shipped = new Map<string, number>();
  readonly levels: Level[] = [];

  take({ type, data }: StockEvent): void {
    switch (type) {
      case 'StockCounted':
        this.isCounted = true;
        this.#supply(data.quantity - this.onHand);
        break;
      case 'StockCountingEnded':
        this.#forget();
        break;
      case 'StockReceived':
      case 'StockRestocked':
        this.#supply(data.quantity);
        break;
      case 'StockRemoved':
        this.#supply(-data.quantity);
        break;
      case 'StockReserved':
        this.reserved += data.quantity - data.heldBefore;
        this.open.set(data.order, data.quantity);
        break;
      case 'StockReleased':
        this.#close(data.order, data.quantity);
        break;
      case 'StockShipped':
        this.#close(data.order, data.quantity);
        this.onHand -= data.quantity;
        this.shipped.set(data.order, (this.shipped.get(data.order) ?? 0) + data.quantity);
        break;
    }
  }

  #supply(quantity: number): void {
    this.onHand += quantity;
    this.supplied += quantity;
  }

  #close(order: string, quantity: number): void {
    this.reserved -= quantity;
    this.open.delete(order);
  }

  #forget(): void {
    this.isCounted = false;
    this.counting += 1;
    this.onHand = this.reserved = this.supplied = 0;
    this.open.clear();
    this.shipped.clear();
  }
}

export class StockBook {
  readonly bottles = new Map<string, Bottles>();
  readonly placed: CountedLine[] = [];
  /** A sentence for each revision at which more was reserved than in stock. */
  readonly negative: string[] = [];
  /** A sentence for each revision at which `reserved` differed from the sum of open reservations. */
  readonly unbalanced: string[] = [];

  take(event: Recorded<StockEvent>): void {
    const product = streamId(event.stream);
    const bottles = this.bottles.get(product) ?? new Bottles();
    this.bottles.set(product, bottles);
    bottles.take(event);
    const { onHand, reserved, open, levels } = bottles;
    levels.push({ at: event.metadata.recordedAt, available: onHand - reserved, open: new Map(open) });
    const held = [...open.values()].reduce((sum, quantity) => sum + quantity, 0);
    const at = `${event.stream} at revision ${event.revision}`;
    if (onHand < held) this.negative.push(`${at}: ${held} are reserved of ${onHand}`);
    if (reserved !== held) this.unbalanced.push(`${at}: ${reserved} are reserved, and orders hold ${held}`);
  }

  /** Counting must not begin while orders are being placed. */
  orderPlaced(id: string, order: Order): void {
    if (order.status === 'none') return;
    for (const { productId, quantity } of order.lines) {
      const { isCounted, counting } = this.bottles.get(productId) ?? new Bottles();
      if (isCounted) this.placed.push({ order: id, productId, quantity, counting });
    }
  }
}
