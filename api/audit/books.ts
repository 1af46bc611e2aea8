import type { Recorded, StreamHead, StreamName } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { isOfOrders, unlawful } from '#domain/order/lawful.ts';
import { order } from '#domain/order/order.ts';
import type { Order } from '#domain/order/state.ts';
import { NOWHERE } from '#domain/order/shipping.ts';
import { totalsOf } from '#domain/order/totals.ts';
import { daysLater } from '#domain/shared/calendar.ts';
import type { Instant } from '#domain/shared/instant.ts';
import { NOTHING, paise, type Paise } from '#domain/shared/money.ts';
import type { SalesFigures } from '#projections/stats/queries.ts';

import { hashIn, verifyChain, type ChainFault } from '../event-store/chain.ts';
import { categoryOf, type LogSeal, type SealedStoredEvent, type StoredEvent, type StreamIncomplete } from '../event-store/stored-event.ts';
import { RollingHash, type Finding } from './rolling-hash.ts';
import type { SavedHead } from './saved-heads.ts';

/** Of the placed orders, whatever became of them, and what those come to that still are sales (decisions, section 7). */
export type BookFigures = { readonly orders: number; readonly sales: Paise };

export type Audited = {
  readonly events: number;
  readonly streams: number;
  /** How many there are; `findings` names the first of them. */
  readonly count: number;
  readonly findings: readonly Finding[];
  readonly figures: BookFigures;
};

const NAMED = 100;
const DETAILS: Readonly<Record<ChainFault, string>> = {
  missing: 'there is no event at this revision any more',
  out_of_place: 'this event belongs elsewhere',
  altered: 'this event is not what was appended',
};

/** What is remembered of an order: its state without the texts, so that a million fit. */
type Slim = { readonly order: Order; readonly total: Paise };

const isSale = ({ status }: Order): boolean => status !== 'none' && status !== 'created' && status !== 'cancelled' && status !== 'returned';
const wasPlaced = (state: Order): boolean => state.status !== 'none' && state.placement !== null;

const slim = (state: Order): Order =>
  state.status === 'none' ? state : { ...state, lines: [], history: [], shippingAddress: NOWHERE, giftMessage: '' };

/** Days of 24 hours that the figures of the last week and the last month go back. */
const [WEEK, MONTH] = [7, 30];

/**
 * The books of the shop, gone through once from the first event on: every stream's hash chain, every order's history, the figures.
 * Takes nothing but the log, so that it also works on a file of it. Remembers a head of each stream and a little of each order.
 */
export class Books {
  readonly #heads = new Map<StreamName, StreamHead>();
  /** A stream whose chain is broken tells nothing more that could be relied on. */
  readonly #broken = new Set<string>();
  readonly #orders = new Map<StreamName, Slim>();
  readonly #saved = new Map<StreamName, Map<number, string>>();
  readonly #findings: Finding[] = [];
  readonly #seals: RollingHash;
  #count = 0;
  #events = 0;

  /**
   * `saved`: heads that were exported earlier. Without them a chain that was rewritten or cut off at its end is whole in itself. `head`:
   * where the log ends by its own account, asked before its first page.
   */
  constructor(saved: readonly SavedHead[] = [], head?: LogSeal) {
    this.#seals = new RollingHash(head);
    for (const { stream, revision, hash } of saved) {
      const heads = this.#saved.get(stream) ?? new Map<number, string>();
      this.#saved.set(stream, heads.set(revision, hash));
    }
  }

  /** The next events of the log, in its order, as they are kept and as they read. */
  take(stored: readonly SealedStoredEvent[], read: readonly Recorded[]): void {
    stored.forEach((event, index) => {
      this.#events += 1;
      for (const finding of this.#seals.faultsAt(event)) this.#find(finding);
      if (!this.#isLinked(event)) return;
      const opened = read[index];
      if (opened && event.stream.startsWith('order-')) this.#judge(event, opened);
    });
  }

  /** These streams are cut, though their events may still stand in the log. */
  takeCut(cut: readonly StreamIncomplete[]): void {
    for (const { stream, from, message } of cut) this.#find({ stream, revision: from, what: 'missing', detail: message });
  }

  conclude(): Audited {
    for (const finding of this.#seals.conclude()) this.#find(finding);
    for (const [stream, heads] of this.#saved) this.#lookForCut(stream, heads);
    return { events: this.#events, streams: this.#heads.size, count: this.#count, findings: this.#findings, figures: this.#figures() };
  }

  /** Where every stream ends: to be kept somewhere else, and brought back the next time. */
  *heads(): Generator<SavedHead> {
    for (const [stream, head] of this.#heads) yield { stream, ...head };
  }

  /** What the dashboard has to say at this moment, of the events taken so far (decisions, sections 3 and 7). */
  figuresAt(now: Instant): SalesFigures {
    const [week, month] = [daysLater(now, -WEEK), daysLater(now, -MONTH)];
    const figures = { totalOrders: 0, lastWeekOrders: 0, totalSales: 0, lastMonthSales: 0 };
    for (const { order: state, total } of this.#orders.values()) {
      if (state.status === 'none' || state.placement === null) continue;
      const { placedAt } = state.placement;
      figures.totalOrders += 1;
      if (placedAt >= week) figures.lastWeekOrders += 1;
      if (!isSale(state)) continue;
      figures.totalSales += total;
      if (placedAt >= month) figures.lastMonthSales += total;
    }
    return { ...figures, totalSales: paise(figures.totalSales), lastMonthSales: paise(figures.lastMonthSales) };
  }

  #isLinked(event: StoredEvent): boolean {
    const { stream, revision } = event;
    if (this.#broken.has(stream)) return false;
    try {
      categoryOf(stream);
    } catch {
      this.#broken.add(stream);
      this.#find({ stream, revision, what: 'unknown_stream', detail: 'the shop has no such stream' });
      return false;
    }
    const verdict = verifyChain(stream, [event], [], this.#heads.get(stream));
    if (verdict.chain === 'broken') return this.#breakAt(stream, verdict.brokenAt, verdict.fault);
    const expected = this.#saved.get(stream)?.get(revision);
    if (expected !== undefined && expected !== hashIn(event.metadata)) return this.#breakAt(stream, revision, 'altered');
    this.#heads.set(stream, verdict.head);
    return true;
  }

  #breakAt(stream: StreamName, revision: number, what: ChainFault): false {
    this.#broken.add(stream);
    this.#find({ stream, revision, what, detail: DETAILS[what] });
    return false;
  }

  #judge({ stream, revision }: StoredEvent, opened: Recorded): void {
    const { order: before, total } = this.#orders.get(stream) ?? { order: order.initial, total: NOTHING };
    try {
      // What stands in a stream of orders is an event of orders, unless somebody else wrote it: then reading it fails or it is unlawful.
      const event = { type: opened.type, data: opened.data } as OrderEvent;
      const why = unlawful(before, event);
      if (why !== undefined) this.#find({ stream, revision, what: 'unlawful', detail: why });
      if (!isOfOrders(opened.type)) return;
      const isQuote = event.type === 'OrderCreated' || event.type === 'OrderRevised';
      this.#orders.set(stream, { order: slim(order.evolve(before, event)), total: isQuote ? totalsOf(event.data).total : total });
    } catch (error) {
      this.#find({ stream, revision, what: 'unreadable', detail: error instanceof Error ? error.message : String(error) });
    }
  }

  #lookForCut(stream: StreamName, heads: ReadonlyMap<number, string>): void {
    if (this.#broken.has(stream)) return;
    const last = this.#heads.get(stream)?.revision ?? -1;
    if (Math.max(...heads.keys()) > last) this.#breakAt(stream, last + 1, 'missing');
  }

  #figures(): BookFigures {
    let orders = 0;
    let sales = 0;
    for (const { order: state, total } of this.#orders.values()) {
      if (wasPlaced(state)) orders += 1;
      if (isSale(state)) sales += total;
    }
    return { orders, sales: paise(sales) };
  }

  #find(finding: Finding): void {
    this.#count += 1;
    if (this.#findings.length < NAMED) this.#findings.push(finding);
  }
}
