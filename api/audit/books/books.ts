import type { LogPosition, Recorded, StreamHead, StreamName, StreamIncomplete } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { isOrderEventType, order, impossibleBecause } from '#domain/order/order.ts';
import { isPlaced, type Order } from '#domain/order/rules.ts';
import { NO_ADDRESS } from '#domain/order/checkout.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { NO_TEXT } from '#domain/shared/text.ts';
import { computeTotals } from '#domain/order/totals.ts';
import { impossibleStockEvent } from '#domain/stock/stock-audit.ts';
import type { StockEvent } from '#domain/stock/events.ts';
import { NO_STOCK, stock, type Stock } from '#domain/stock/stock.ts';
import { daysLater, instant, type Instant } from '#domain/shared/time.ts';
import { ZERO, paise, type Paise } from '#domain/shared/money.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import { parseHash, verifyChain, type ChainFault } from '../../event-store/chain.ts';
import { parseCategory, type LogSeal, type SealedStoredEvent, type StoredEvent } from '../../event-store/stored-event.ts';
import { RollingHash, type Finding } from './rolling-hash.ts';
import { THE_LOG, type SavedHead } from '../saved-heads.ts';

/** The figures are the number of placed orders, including cancelled and returned ones, and the total of those that are sales. */
export type BookFigures = { readonly orders: number; readonly sales: Paise };

export type Audited = {
  readonly events: number;
  readonly streams: number;
  /** Counts all findings; `findings` has the first ones. */
  readonly count: number;
  readonly findings: readonly Finding[];
  readonly figures: BookFigures;
  readonly dashboard: SalesFigures;
};

export type BooksOptions = {
  /** The store reports it before the first page is read. */
  readonly head?: LogSeal | undefined;
  /** The dashboard's figures are computed for this moment. By default it is the epoch, with all events. */
  readonly dashboard?: { readonly moment: Instant; readonly upTo?: LogPosition | undefined };
};

const NAMED = 100;
const DETAILS: Readonly<Record<ChainFault, string>> = {
  missing: 'there is no event at this revision any more',
  out_of_place: 'this event belongs elsewhere',
  altered: 'this event is not what was appended',
};

/** The order is kept without its texts. */
type Slim = { readonly order: Order; readonly total: Paise };

const isSale = ({ status }: Order): boolean => status !== 'none' && status !== 'created' && status !== 'cancelled' && status !== 'returned';

/** The bottles stay, by which returns are judged. */
const slim = (state: Order): Order => {
  if (state.status === 'none') return state;
  const lines = state.lines.map((line) => ({ ...line, name: '', details: '', picture: '' }));
  return { ...state, lines, history: [], shippingAddress: NO_ADDRESS, ...mapOrderTexts(() => NO_TEXT) };
};

/** A day has 24 hours. */
const [WEEK, MONTH] = [7, 30];
const EPOCH = instant('1970-01-01T00:00:00.000Z');

/** This is kept between a stream's first and last event. */
type Stream = {
  /** The head ends the intact part of its chain. */
  head?: StreamHead & { readonly position: LogPosition };
  /** If true, nothing more is derived from the stream. */
  isBroken: boolean;
  order?: Slim;
  stock?: Stock;
  /** The value is true if the dashboard's figures include the order. */
  isShown: boolean;
  /** The saved hashes are kept by revision; most streams have none. */
  saved?: Map<number, string>;
};

/** Copies the text, because a slice would keep the whole text in memory. */
const apart = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/**
 * Audits the log: every stream's hash chain, every order's history, and the figures. It needs only the log, so it works on exported files:
 * either in log order, keeping a little of each stream, or stream by stream.
 */
export class Books {
  readonly #streams = new Map<StreamName, Stream>();
  readonly #findings: Finding[] = [];
  readonly #seals: RollingHash;
  readonly #upTo: LogPosition | undefined;
  readonly #since: { readonly week: Instant; readonly month: Instant };
  readonly #dashboard = { totalOrders: 0, lastWeekOrders: 0, totalSales: 0, lastMonthSales: 0 };
  readonly #sums = { events: 0, streams: 0, faults: 0, orders: 0, sales: 0 };

  constructor({ head, dashboard: { moment, upTo } = { moment: EPOCH } }: BooksOptions = {}) {
    this.#seals = new RollingHash(head);
    this.#upTo = upTo;
    this.#since = { week: daysLater(moment, -WEEK), month: daysLater(moment, -MONTH) };
  }

  get remembered(): number {
    return this.#streams.size;
  }

  /** Starts tracking the stream, and returns false if it is already tracking `most` others. */
  admits(stream: StreamName, most: number): boolean {
    if (!this.#streams.has(stream) && this.#streams.size >= most) return false;
    this.#at(stream);
    return true;
  }

  /** Adds an earlier saved head of a stream whose events are still to come: it shows that a chain was rewritten or cut at its end. */
  expect(head: SavedHead): void {
    if (head.stream === THE_LOG) return this.#seals.expect(head);
    const stream = this.#at(head.stream);
    stream.saved ??= new Map();
    stream.saved.set(head.revision, head.hash);
  }

  /** Takes the next events in log order. */
  take(stored: readonly SealedStoredEvent[], read: readonly Recorded[]): void {
    stored.forEach((event, index) => {
      this.roll([event]);
      this.takeOne(event, read[index]);
    });
  }

  /** Takes the next events in log order, for the rolling hash only. */
  roll(stored: readonly SealedStoredEvent[]): void {
    for (const event of stored) for (const finding of this.#seals.faultsAt(event)) this.#find(finding);
  }

  takeOne(event: StoredEvent, read: Recorded | undefined): void {
    this.#sums.events += 1;
    const stream = this.#at(event.stream);
    if (this.#isLinked(stream, event) && read) this.#judge(stream, event, read);
  }

  /** Adds the stream to the figures, frees it and returns its head. */
  settle(name: StreamName): SavedHead | undefined {
    const stream = this.#streams.get(name);
    if (!stream) return undefined;
    this.#addUp(name, stream);
    this.#streams.delete(name);
    return stream.head && { stream: name, revision: stream.head.revision, hash: stream.head.hash };
  }

  *settleAll(): Generator<SavedHead> {
    for (const name of this.#streams.keys()) {
      const head = this.settle(name);
      if (head) yield head;
    }
  }

  logHead(): SavedHead | undefined {
    return this.#seals.end();
  }

  /** Reports cut streams, even if their events are still in the log. */
  takeCut(cut: readonly StreamIncomplete[]): void {
    for (const { stream, from, message } of cut) this.#find({ stream, revision: from, what: 'missing', detail: message });
  }

  conclude(): Audited {
    for (const finding of this.#seals.conclude()) this.#find(finding);
    for (const name of this.#streams.keys()) this.settle(name);
    const { events, streams, faults, orders, sales } = this.#sums;
    const { totalSales, lastMonthSales, ...counts } = this.#dashboard;
    const dashboard = { ...counts, totalSales: paise(totalSales), lastMonthSales: paise(lastMonthSales) };
    return { events, streams, count: faults, findings: this.#findings, figures: { orders, sales: paise(sales) }, dashboard };
  }

  #at(name: StreamName): Stream {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream: Stream = { isBroken: false, isShown: false };
    this.#streams.set(name, stream);
    return stream;
  }

  #isLinked(stream: Stream, event: StoredEvent): boolean {
    const { stream: name, revision, position } = event;
    if (stream.isBroken) return false;
    try {
      parseCategory(name);
    } catch {
      stream.isBroken = true;
      this.#find({ stream: name, revision, what: 'unknown_stream', detail: 'the shop has no such stream' });
      return false;
    }
    const { head } = stream;
    const verdict = verifyChain(name, [event], [], head);
    if (verdict.chain === 'broken') return this.#breakAt(event.stream, stream, verdict.brokenAt, verdict.fault);
    // Sorted by revision, events with swapped positions would look intact.
    if (head && position < head.position) return this.#breakAt(name, stream, head.revision, 'out_of_place');
    const expected = stream.saved?.get(revision);
    if (expected !== undefined && expected !== parseHash(event.metadata)) return this.#breakAt(name, stream, revision, 'altered');
    stream.head = { revision, hash: apart(verdict.head.hash), position };
    return true;
  }

  #breakAt(name: StreamName, stream: Stream, revision: number, what: ChainFault): false {
    stream.isBroken = true;
    this.#find({ stream: name, revision, what, detail: DETAILS[what] });
    return false;
  }

  /** If an intruder wrote the event, it may have another type: then decoding fails, or a judge reports it. */
  #judge(stream: Stream, { stream: name, revision, position }: StoredEvent, { type, data }: Recorded): void {
    if (this.#upTo !== undefined && position > this.#upTo) this.#show(stream);
    const find = (why: string | undefined): void => {
      if (why !== undefined) this.#find({ stream: name, revision, what: 'unlawful', detail: why });
    };
    try {
      if (name.startsWith('order-')) this.#takeOrder(stream, { type, data } as OrderEvent, find);
      if (name.startsWith('stock-')) this.#takeStock(stream, { type, data } as StockEvent, find);
    } catch (error) {
      this.#find({ stream: name, revision, what: 'unreadable', detail: error instanceof Error ? error.message : String(error) });
    }
  }

  #takeOrder(stream: Stream, event: OrderEvent, find: (why: string | undefined) => void): void {
    const { order: before, total } = stream.order ?? { order: order.initial, total: ZERO };
    find(impossibleBecause(before, event));
    if (!isOrderEventType(event.type)) return;
    const isQuote = event.type === 'OrderCreated' || event.type === 'OrderRevised';
    stream.order = { order: slim(order.evolve(before, event)), total: isQuote ? computeTotals(event.data).total : total };
  }

  #takeStock(stream: Stream, event: StockEvent, find: (why: string | undefined) => void): void {
    const before = stream.stock ?? NO_STOCK;
    find(impossibleStockEvent(before, event));
    stream.stock = stock.evolve(before, event);
  }

  /** Adds the order in its current state to the dashboard's figures, once. */
  #show(stream: Stream): void {
    if (stream.isShown) return;
    stream.isShown = true;
    if (!stream.order) return;
    const { order: state, total } = stream.order;
    if (!isPlaced(state)) return;
    const { placedAt } = state.placement;
    this.#dashboard.totalOrders += 1;
    if (placedAt >= this.#since.week) this.#dashboard.lastWeekOrders += 1;
    if (!isSale(state)) return;
    this.#dashboard.totalSales += total;
    if (placedAt >= this.#since.month) this.#dashboard.lastMonthSales += total;
  }

  #addUp(name: StreamName, stream: Stream): void {
    if (stream.head) this.#sums.streams += 1;
    this.#show(stream);
    if (stream.order) {
      const { order: state, total } = stream.order;
      if (isPlaced(state)) this.#sums.orders += 1;
      if (isSale(state)) this.#sums.sales += total;
    }
    const last = stream.head?.revision ?? -1;
    if (!stream.isBroken && Math.max(-1, ...(stream.saved?.keys() ?? [])) > last) this.#breakAt(name, stream, last + 1, 'missing');
  }

  #find(finding: Finding): void {
    this.#sums.faults += 1;
    if (this.#findings.length < NAMED) this.#findings.push(finding);
  }
}
