import { isPlaced, type Order } from '#domain/order/rules.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { LogBook } from './log-book.ts';
import type { Bottles, CountedLine } from './stock-book.ts';
import type { InvariantResult } from './verdicts.ts';

export const availableIsNeverNegative = ({ stock }: LogBook): InvariantResult => ({
  invariant: 'no more bottles are ever reserved than there are',
  broken: stock.negative,
});

export const reservedIsHeld = ({ stock }: LogBook): InvariantResult => ({
  invariant: 'what is reserved is what orders hold',
  broken: stock.unbalanced,
});

const isKept = (order: Order | undefined): boolean => order !== undefined && isPlaced(order) && order.status !== 'cancelled';

/** Returns lines of orders that are, or were, to be fulfilled, without orders placed before counting ended. */
const countedLines = ({ stock, orders }: LogBook): readonly CountedLine[] =>
  stock.placed.filter(({ order, productId, counting }) => isKept(orders.get(order)) && stock.bottles.get(productId)?.counting === counting);

export const placedHasItsBottles = (log: LogBook): InvariantResult => {
  const broken = countedLines(log).flatMap(({ order, productId, quantity }) => {
    const status = log.orders.get(order)?.status;
    const isSent = status !== 'pending' && status !== 'confirmed';
    const bottles = log.stock.bottles.get(productId);
    const [held, sent] = [bottles?.open.get(order) ?? 0, bottles?.shipped.get(order) ?? 0];
    const isRight = isSent ? sent === quantity && held === 0 : held === quantity && sent === 0;
    return isRight ? [] : [`${order} is ${status} with ${quantity} ${productId}: ${held} are reserved, ${sent} were shipped`];
  });
  return { invariant: 'a placed order has its bottles of what is counted, once', broken };
};

/** Checks that no other order has a reservation, once interrupted placings have been released. */
export const nobodyElseHolds = ({ stock, orders }: LogBook): InvariantResult => {
  const broken = [...stock.bottles].flatMap(([product, { open }]) =>
    [...open].flatMap(([order, quantity]) =>
      isKept(orders.get(order)) ? [] : [`${quantity} ${product} are reserved for ${order}, which is not placed`],
    ),
  );
  return { invariant: 'no bottle is reserved for an order that is not placed', broken };
};

/** A refused checkout or placing: the remaining stock in its answer, and the moments before and after the request. */
export type StockRefusal = {
  /** Undefined for a checkout, whose answer does not name the order. */
  readonly order: string | undefined;
  /** Remaining bottles by product. */
  readonly left: Readonly<Record<string, number>>;
  readonly askedAt: Instant;
  readonly heardAt: Instant;
};

/** Returns whether at any moment in between exactly `left` bottles were available to this order, with its own reservation. */
const wereLeft = (levels: Bottles['levels'], { order, askedAt, heardAt }: StockRefusal, left: number): boolean =>
  levels.some(({ at, available, open }, index) => {
    const until = levels[index + 1]?.at ?? heardAt;
    const own = order === undefined ? [0, ...open.values()] : [open.get(order) ?? 0];
    return at <= heardAt && until >= askedAt && own.some((held) => available + held === left);
  });

/** Needs a log whose events have the time of their append. */
export const refusedWhatWasShort = (refusals: readonly StockRefusal[], { stock }: LogBook): InvariantResult => {
  const broken = refusals.flatMap((refusal) =>
    Object.entries(refusal.left).flatMap(([product, left]) =>
      wereLeft(stock.bottles.get(product)?.levels ?? [], refusal, left)
        ? []
        : [`${refusal.order ?? 'A checkout'} was refused at ${refusal.heardAt} since ${left} ${product} were left, which was not so`],
    ),
  );
  return { invariant: 'nobody is refused bottles that were there', broken };
};

export const neverOversold = (log: LogBook): InvariantResult => {
  const sold = new Map<string, number>();
  for (const { productId, quantity } of countedLines(log)) sold.set(productId, (sold.get(productId) ?? 0) + quantity);
  const broken = [...sold].flatMap(([product, quantity]) => {
    const { supplied = 0 } = log.stock.bottles.get(product) ?? {};
    return quantity <= supplied ? [] : [`${quantity} ${product} are ordered, and ${supplied} were there`];
  });
  return { invariant: 'no more bottles are sold than were counted and received', broken };
};

export const stockVerdicts = (log: LogBook): readonly InvariantResult[] =>
  [availableIsNeverNegative, reservedIsHeld, placedHasItsBottles, nobodyElseHolds, neverOversold].map((verdict) => verdict(log));
