import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

import type { CommandMetadata } from '#domain/event-store.ts';
import type { OrderId, ProductId } from '#domain/shared/ids.ts';
import { openReservations, stock, stockStream } from '#domain/stock/stock.ts';
import type { Instant } from '#domain/shared/time.ts';
import type { Clock } from '#projections/follower/clock.ts';
import { repeatEvery } from '#projections/follower/repeat-every.ts';

import type { Shop } from '../../shop.ts';
import { abandonPlacing } from './abandon-placing.ts';

type Parts = Pick<Shop, 'deadlineClock' | 'execute' | 'load' | 'now'> & {
  /** Returns the products that are known to have reservations. */
  readonly reservedProducts: () => Promise<readonly ProductId[]>;
  readonly log: Logger;
  readonly clock?: Clock;
  readonly times?: typeof TIMES;
};

/** The times are in ms. Nothing stays reserved by a killed process for longer than a minute. */
const TIMES = { looksEvery: 5_000, abandonedAfter: 30_000 };
/** The worker remembers this many placed orders and does not check them again. */
const MOST_KNOWN = 100_000;

const byShop = (): CommandMetadata => {
  const commandId = randomUUID();
  return { commandId, correlationId: commandId, causationId: commandId, actor: { kind: 'system', id: 'stock' } };
};

/**
 * Releases bottles that were reserved a while ago for an order that is still not placed, because its placing was interrupted. Any number of
 * processes may run it. It runs until the signal is aborted and survives outages.
 */
export const releaseAbandoned = (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { load, deadlineClock, reservedProducts, log, clock, times = TIMES } = parts;
  const placed = new LRUCache<OrderId, true>({ max: MOST_KNOWN });

  const lookAt = async (product: ProductId, now: Instant): Promise<void> => {
    const { state } = await load(stock, stockStream(product));
    const latest = Date.parse(now) - times.abandonedAfter;
    // The newest come first: after a restart the many older orders, which are placed, are not known.
    for (const { order: id, at } of openReservations(state).toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))) {
      if (signal.aborted || placed.has(id) || Date.parse(at) > latest) continue;
      try {
        const isPlaced = await abandonPlacing(parts, { id, products: [product] }, byShop());
        if (isPlaced) placed.set(id, true);
        else log.info({ order: id, product }, 'Bottles of an order that was not placed were released');
      } catch (error) {
        log.warn({ err: error, order: id, product }, 'A reservation could not be checked');
      }
    }
  };

  const onError = (error: unknown, product?: ProductId) => log.warn({ err: error, product }, 'Reservations could not be checked');
  const lookAtAll = async (): Promise<void> => {
    const now = await deadlineClock();
    if (now === undefined) return;
    for (const product of await reservedProducts()) await lookAt(product, now).catch((error: unknown) => onError(error, product));
  };
  return repeatEvery(times.looksEvery, lookAtAll, { signal, onError, ...(clock && { clock }) });
};
