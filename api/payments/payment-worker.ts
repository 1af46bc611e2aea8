import { sql } from 'kysely';
import type { Logger } from 'pino';

import { repeatEvery } from '#projections/follower/repeat-every.ts';
import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { computeBill } from '#domain/order/totals.ts';
import { nothingToPay, payment, type PaymentCommand, paymentStream } from '#domain/payment/payment.ts';
import { isAtGateway, nextLook, REFUND_RETRIES, type Payment, type Refund } from '#domain/payment/rules.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { dueOrders, MOST_ORDERS, ordersToLookAt, ordersWithWork } from '#projections/orders/payment-work.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { isBuilt } from '#projections/storage/status.ts';

import type { ShopDatabase } from '../platform/postgres/shop-tables.ts';
import type { Shop } from '../shop.ts';
import { bySystem, cancelUnpaid } from '../orders/order-payment.ts';
import { GatewayRefused, GatewayUnavailable, type Gateway } from './gateway/gateway.ts';
import { BANK_REFUSED, ignoreBankRefusal, retryLater, type Payments } from './payment-service.ts';

export type WorkerParts = Pick<Shop, 'db' | 'deadlineClock' | 'execute' | 'load' | 'now' | 'read' | 'store'> & {
  readonly gateway: Gateway;
  readonly payments: Pick<Payments, 'check' | 'seekLate' | 'seekRefunds'>;
  /** A reminder is sent this many ms after placing. */
  readonly reminder: number;
  readonly window: number;
  readonly log: Logger;
};

const LOOKS_EVERY_MS = 1_000;
/** The worker asks again after this many ms about a refund that the gateway has accepted. */
const ASKS_AGAIN_AFTER = 60_000;
/** The worker looks again at orders that were due up to this many ms ago, because the read model may have been behind. */
const OVERLAP = 3_600_000;
const FROM_THE_FIRST_EVERY = 600_000;
/** The pause in seconds after the gateway refused more often than `REFUND_RETRIES` allows. */
const LONG_PAUSE = 600;
/** Each order in work holds a database connection. */
const AT_ONCE = 4;

/**
 * Locks the order against other processes while `work` runs; a killed process loses its lock. Does nothing while another process has it.
 */
const withOrderLock = (db: ShopDatabase, id: OrderId, work: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const lock = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${`payment of ${id}`}, 0))`;
    const { locked } = await tx.selectNoFrom(lock.as('locked')).executeTakeFirstOrThrow();
    if (locked) await work();
  });

/**
 * Sends payment reminders, cancels unpaid orders, refunds at the gateway, closes pages of cancelled orders, and looks for payments without
 * a webhook. The read model says what may be due, and the log decides. Any number of processes may run it.
 */
export class PaymentWorker {
  /** Maps a refund that the gateway has accepted to the time of the next question about it. */
  readonly #asked = new Map<string, number>();
  /** Maps an order that the gateway has refused to the number of refusals and the time of the next try. */
  readonly #refused = new Map<OrderId, { readonly times: number; readonly until: number }>();
  #wholeAt = 0;

  constructor(readonly parts: WorkerParts) {}

  async round(): Promise<void> {
    const { db } = this.parts.read;
    if (!(await isBuilt(ordersDesk, this.parts.read))) return;
    for (const [refund, at] of this.#asked) if (at <= Date.now()) this.#asked.delete(refund);
    const forgotten = Date.parse(this.parts.now()) - LONG_PAUSE * 1_000;
    for (const [id, { until }] of this.#refused) if (until < forgotten) this.#refused.delete(id);
    for (let after: OrderId | undefined; ;) {
      const orders = await ordersWithWork(db, after);
      await this.#each(orders, (id) => this.#workOn(id));
      if (orders.length < MOST_ORDERS) break;
      after = orders.at(-1);
    }
    const now = await this.parts.deadlineClock();
    if (now !== undefined) await this.#meetDeadlines(now);
  }

  async #meetDeadlines(now: Instant): Promise<void> {
    const { db } = this.parts.read;
    const isWhole = Date.now() >= this.#wholeAt;
    let isAll = true;
    for (const [after, isReminder] of [
      [this.parts.window, false],
      [this.parts.reminder, true],
    ] as const) {
      const until = retryLater(now, -after);
      const due = await dueOrders(db, { until, after: isWhole ? undefined : retryLater(until, -OVERLAP), isReminder });
      await this.#each(due, (id) => this.#remindOrCancel(id, now));
      isAll &&= due.length < MOST_ORDERS;
    }
    await this.#each(await ordersToLookAt(db, retryLater(now, -this.parts.window)), (id) => this.#seekLate(id, now));
    if (isWhole && isAll) this.#wholeAt = Date.now() + FROM_THE_FIRST_EVERY;
  }

  async #each(ids: readonly OrderId[], work: (id: OrderId) => Promise<void>): Promise<void> {
    const { db } = this.parts;
    const remaining = ids.values();
    const worker = async (): Promise<void> => {
      for (const id of remaining) {
        if ((this.#refused.get(id)?.until ?? 0) > Date.parse(this.parts.now())) continue;
        const locked = withOrderLock(db, id, () => work(id).catch((error: unknown) => this.#wait(id, error)));
        await locked.catch((error: unknown) => this.#warn(id, error));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Logs only errors other than an unavailable gateway: those orders wait, and all others are handled. */
  #warn(id: OrderId, error: unknown): void {
    const { gateway, log } = this.parts;
    if (error instanceof GatewayUnavailable && !gateway.isAvailable()) return;
    log.warn({ err: error, order: id }, "The work on an order's payment failed");
  }

  /** Delays an order that the gateway refused, longer each time, and finally tells the staff. */
  async #wait(id: OrderId, error: unknown): Promise<void> {
    if (!(error instanceof GatewayRefused)) return this.#warn(id, error);
    const { log, now } = this.parts;
    const before = this.#refused.get(id)?.times ?? 0;
    const seconds = REFUND_RETRIES[before] ?? LONG_PAUSE;
    this.#refused.set(id, { times: before + 1, until: Date.parse(now()) + seconds * 1_000 });
    log.warn({ err: error, order: id }, `The payment gateway refused a request about an order. The shop asks again in ${seconds} s.`);
    if (before < REFUND_RETRIES.length) return;
    await this.#command(id, { type: 'ReportRefusedPage', why: error.message, now: now() }, `refused-page-${id}-${now()}`);
  }

  async #known(id: OrderId): Promise<{ order: ExistingOrder; money: Payment } | undefined> {
    const { load } = this.parts;
    const { state } = await load(order, orderStream(id));
    // Orders that are not prepaid are loaded too, because somebody may have paid nevertheless.
    return state.status === 'none' ? undefined : { order: state, money: (await load(payment, paymentStream(id))).state };
  }

  #command(id: OrderId, command: PaymentCommand, name: string) {
    return this.parts.execute(payment, paymentStream(id), command, bySystem(name));
  }

  async #workOn(id: OrderId): Promise<void> {
    const known = await this.#known(id);
    if (!known) return;
    const { gateway, now } = this.parts;
    for (const refund of known.money.refunds) if (isAtGateway(refund) && this.#isDue(refund)) await this.#refund(id, refund);
    const { link } = known.money;
    if (link === null || known.order.status !== 'cancelled') return;
    await gateway.closeLink(link.id);
    // Money may have arrived before the link was closed.
    await this.parts.payments.check(id);
    await this.#command(id, { type: 'CloseLink', link: link.id, now: now() }, `closed-${link.id}`);
  }

  #isDue({ id, status, refusals, at }: Refund): boolean {
    if (status !== 'requested' || (this.#asked.get(id) ?? 0) > Date.now()) return false;
    const wait = refusals === 0 ? 0 : (REFUND_RETRIES[refusals - 1] ?? 0) * 1_000;
    return Date.parse(this.parts.now()) >= Date.parse(at) + wait;
  }

  async #refund(id: OrderId, { id: refund, payment: from, amount, refusals }: Refund): Promise<void> {
    const { gateway, now, store } = this.parts;
    const done = new Set((await store.read(paymentStream(id))).events.map(({ metadata }) => metadata.commandId));
    const isKnown = (gatewayId: string): boolean => done.has(ignoreBankRefusal(gatewayId).commandId);
    const refused = (why: string) => ({ type: 'RefuseRefund', refund, why, now: now() }) as const;
    try {
      const { id: gatewayId, status } = await gateway.refund({ payment: from, amount, reference: refund, isKnown });
      this.#asked.delete(refund);
      if (status === 'settled') await this.#command(id, { type: 'SettleRefund', refund, now: now() }, `settled-${refund}`);
      else if (status === 'refused')
        await this.parts.execute(payment, paymentStream(id), refused(BANK_REFUSED), ignoreBankRefusal(gatewayId));
      else this.#asked.set(refund, Date.now() + ASKS_AGAIN_AFTER);
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error;
      // The payment may have too little left, because somebody refunded it at the gateway itself.
      await this.parts.payments.seekRefunds(id);
      await this.#command(id, refused(error.message), `refused-${refund}-${refusals}`);
    }
  }

  async #seekLate(id: OrderId, now: Instant): Promise<void> {
    const { payments, window } = this.parts;
    const money = (await this.#known(id))?.money;
    const from = money && nextLook(money);
    if (!from || now < retryLater(from, window)) return;
    await payments.seekLate(id);
    const { pages, looks } = money;
    await this.#command(id, { type: 'NoteLook', looksBefore: looks, now }, `look-${id}-${pages.length}-${looks}`);
  }

  async #remindOrCancel(id: OrderId, now: Instant): Promise<void> {
    const { window, reminder } = this.parts;
    const known = await this.#known(id);
    if (!known || known.order.placement === null) return;
    const { placedAt } = known.order.placement;
    const isPast = (milliseconds: number): boolean => now >= retryLater(placedAt, milliseconds);
    // The shopper may have paid although no webhook came.
    if (nothingToPay(computeBill(known.order), await this.parts.payments.check(id))) return;
    if (!isPast(window)) {
      if (isPast(reminder)) await this.#command(id, { type: 'RemindOfPayment', bill: computeBill(known.order), now }, `reminder-${id}`);
      return;
    }
    await cancelUnpaid(this.parts, id, bySystem(`unpaid-${id}`));
  }
}

/** Runs until the signal is aborted. Survives outages of database, log and gateway. */
export const runPaymentWorker = (parts: WorkerParts, signal: AbortSignal): Promise<void> => {
  const worker = new PaymentWorker(parts);
  const onError = (error: unknown) => parts.log.warn({ err: error }, 'The payments with open work could not be read');
  return repeatEvery(LOOKS_EVERY_MS, () => worker.round(), { signal, onError });
};
