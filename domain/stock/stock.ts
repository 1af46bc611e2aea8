import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { Revision, StreamName } from '../event-store.ts';
import type { OrderId, ProductId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { StockEvent } from './events.ts';

export const stockStream = (id: ProductId): StreamName => `stock-${id}`;

/** An order holds these bottles until they are shipped or released. */
export type Reservation = { readonly quantity: number; readonly orderRevision: Revision; readonly at: Instant };

/**
 * Maps orders to reservations. Optimisation: divided by the id's first two digits, so that an event copies a 256th of thousands of entries.
 */
export type Reservations = Readonly<Record<string, Readonly<Record<OrderId, Reservation>>>>;

/** The state is plain JSON, because it is stored as a snapshot under `STOCK_VERSION`. `reserved` is the sum of `reservations`. */
export type Stock = {
  readonly isCounted: boolean;
  readonly onHand: number;
  readonly reserved: number;
  readonly lowAt: number | null;
  readonly reservations: Reservations;
};

/** Raise the version when the shape of `Stock` or the meaning of `evolve` changes: snapshots of other versions are not read. */
export const STOCK_VERSION = 1;

/** One command may have this many bottles, and one product may have as many; returns may exceed it. */
export const MOST_BOTTLES = 1_000_000;
/** The limit counts characters. */
export const LONGEST_REMOVAL_REASON = 500;

export type CountStock = { readonly type: 'CountStock'; readonly quantity: number; readonly now: Instant };
export type EndCounting = { readonly type: 'EndCounting'; readonly now: Instant };
export type ReceiveStock = { readonly type: 'ReceiveStock'; readonly quantity: number; readonly now: Instant };
export type RemoveStock = { readonly type: 'RemoveStock'; readonly quantity: number; readonly reason: string; readonly now: Instant };
export type SetLowMark = { readonly type: 'SetLowMark'; readonly lowAt: number | null; readonly now: Instant };
/** This command is sent before the order is placed. `orderRevision` is the revision on which its placing is decided. */
export type ReserveStock = {
  readonly type: 'ReserveStock';
  readonly order: OrderId;
  readonly quantity: number;
  readonly orderRevision: Revision;
  readonly now: Instant;
};
/**
 * This command is sent for an order that is not placed or was cancelled. Reservations made for placing it at this revision or a later one
 * stay.
 */
export type ReleaseStock = {
  readonly type: 'ReleaseStock';
  readonly order: OrderId;
  readonly before: Revision;
  readonly now: Instant;
};
export type ShipStock = { readonly type: 'ShipStock'; readonly order: OrderId; readonly now: Instant };

/** This command is sent for a return whose bottles can be sold again. */
export type RestockStock = {
  readonly type: 'RestockStock';
  readonly order: OrderId;
  readonly quantity: number;
  readonly return: number;
  readonly now: Instant;
};

export type StockCommand =
  CountStock | EndCounting | ReceiveStock | RemoveStock | SetLowMark | ReserveStock | ReleaseStock | ShipStock | RestockStock;

export type StockRejection =
  | { readonly code: 'stock_not_counted' }
  /** Staff cannot set whether a counted product is in stock: its bottles decide. */
  | { readonly code: 'stock_is_counted' }
  | { readonly code: 'stock_below_reserved'; readonly reserved: number }
  | { readonly code: 'stock_too_high'; readonly most: number }
  /** `available` includes what the order holds already. */
  | { readonly code: 'stock_too_low'; readonly available: number };

type Decided = Decision<StockEvent, StockRejection>;

export const computeAvailable = ({ onHand, reserved }: Pick<Stock, 'onHand' | 'reserved'>): number => onHand - reserved;

const getBucket = (order: OrderId): string => order.slice(0, 2);

export const findReservation = ({ reservations }: Stock, order: OrderId): Reservation | undefined =>
  reservations[getBucket(order)]?.[order];

export const openReservations = ({ reservations }: Stock): readonly (Reservation & { readonly order: OrderId })[] =>
  Object.values(reservations).flatMap((bucket) =>
    Object.entries(bucket).map(([order, reservation]) => ({ ...reservation, order: order as OrderId })),
  );

const withReservation = (stock: Stock, order: OrderId, reservation: Reservation | undefined): Stock => {
  const key = getBucket(order);
  const { [order]: held, ...others } = stock.reservations[key] ?? {};
  const bucket = reservation ? { ...others, [order]: reservation } : others;
  const reserved = stock.reserved - (held?.quantity ?? 0) + (reservation?.quantity ?? 0);
  return { ...stock, reserved, reservations: { ...stock.reservations, [key]: bucket } };
};

/** Returns the state after an event. Events are facts and are not checked again. */
const evolve = (stock: Stock, { type, data }: StockEvent): Stock => {
  switch (type) {
    case 'StockCounted':
      return { ...stock, isCounted: true, onHand: data.quantity };
    case 'StockCountingEnded':
      return { ...stock, isCounted: false, onHand: 0, reserved: 0, reservations: {} };
    case 'StockReceived':
    case 'StockRestocked':
      return { ...stock, onHand: stock.onHand + data.quantity };
    case 'StockRemoved':
      return { ...stock, onHand: stock.onHand - data.quantity };
    case 'StockLowMarkSet':
      return { ...stock, lowAt: data.lowAt };
    case 'StockReserved': {
      const { order, quantity, orderRevision, reservedAt: at } = data;
      return withReservation(stock, order, { quantity, orderRevision, at });
    }
    case 'StockReleased':
      return withReservation(stock, data.order, undefined);
    case 'StockShipped':
      return { ...withReservation(stock, data.order, undefined), onHand: stock.onHand - data.quantity };
    default:
      return afterUnknown(type, stock);
  }
};

const countStock = (stock: Stock, { quantity, now: countedAt }: CountStock): Decided => {
  if (quantity < stock.reserved) return reject({ code: 'stock_below_reserved', reserved: stock.reserved });
  if (stock.isCounted && stock.onHand === quantity) return accept();
  return accept({ type: 'StockCounted', data: { quantity, countedAt } });
};

const receiveStock = (stock: Stock, { quantity, now: receivedAt }: ReceiveStock): Decided => {
  if (!stock.isCounted) return reject({ code: 'stock_not_counted' });
  if (stock.onHand + quantity > MOST_BOTTLES) return reject({ code: 'stock_too_high', most: MOST_BOTTLES });
  return accept({ type: 'StockReceived', data: { quantity, receivedAt } });
};

const removeStock = (stock: Stock, { quantity, reason, now: removedAt }: RemoveStock): Decided => {
  if (!stock.isCounted) return reject({ code: 'stock_not_counted' });
  const available = computeAvailable(stock);
  if (quantity > available) return reject({ code: 'stock_too_low', available });
  return accept({ type: 'StockRemoved', data: { quantity, reason, removedAt } });
};

/**
 * Reserves bottles for an order; nothing if the product is not counted. A reservation of an older revision is replaced: the order was
 * checked out again or its placing was given up. One of a newer revision stays: this placing is late, and its order refuses it.
 */
const reserveStock = (stock: Stock, { order, quantity, orderRevision, now: reservedAt }: ReserveStock): Decided => {
  const held = findReservation(stock, order);
  if (!stock.isCounted || (held !== undefined && held.orderRevision >= orderRevision)) return accept();
  const heldBefore = held?.quantity ?? 0;
  const available = computeAvailable(stock) + heldBefore;
  if (quantity > available) return reject({ code: 'stock_too_low', available });
  return accept({ type: 'StockReserved', data: { order, quantity, heldBefore, orderRevision, reservedAt } });
};

const releaseStock = (stock: Stock, { order, before, now: releasedAt }: ReleaseStock): Decided => {
  const held = findReservation(stock, order);
  if (held === undefined || held.orderRevision >= before) return accept();
  return accept({ type: 'StockReleased', data: { order, quantity: held.quantity, releasedAt } });
};

/** Ships reserved bottles. An order placed before counting began has none. */
const shipStock = (stock: Stock, { order, now: shippedAt }: ShipStock): Decided => {
  const held = findReservation(stock, order);
  return held === undefined ? accept() : accept({ type: 'StockShipped', data: { order, quantity: held.quantity, shippedAt } });
};

const decide = (stock: Stock, command: StockCommand): Decided => {
  switch (command.type) {
    case 'CountStock':
      return countStock(stock, command);
    case 'EndCounting':
      return stock.isCounted ? accept({ type: 'StockCountingEnded', data: { endedAt: command.now } }) : accept();
    case 'ReceiveStock':
      return receiveStock(stock, command);
    case 'RemoveStock':
      return removeStock(stock, command);
    case 'SetLowMark':
      return command.lowAt === stock.lowAt
        ? accept()
        : accept({ type: 'StockLowMarkSet', data: { lowAt: command.lowAt, setAt: command.now } });
    case 'ReserveStock':
      return reserveStock(stock, command);
    case 'ReleaseStock':
      return releaseStock(stock, command);
    case 'ShipStock':
      return shipStock(stock, command);
    // A product that is not counted gets no bottles back.
    case 'RestockStock':
      return stock.isCounted
        ? accept({
            type: 'StockRestocked',
            data: { order: command.order, quantity: command.quantity, restockedAt: command.now, return: command.return },
          })
        : accept();
  }
};

export const NO_STOCK: Stock = { isCounted: false, onHand: 0, reserved: 0, lowAt: null, reservations: {} };

/** The bottles of one product, if they are counted. The stream is `stock-<product id>`. */
export const stock: Decider<Stock, StockCommand, StockEvent, StockRejection> = { initial: NO_STOCK, decide, evolve };
