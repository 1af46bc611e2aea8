import { accept, reject, type Decision } from '../shared/decider.ts';
import type { ProductId, ShopperId } from '../shared/ids.ts';
import { sum, ZERO, type Paise } from '../shared/money.ts';
import type { IndianState } from '../shared/states.ts';
import { NO_TEXT, personalText } from '../shared/text.ts';
import type { CalendarDate, Instant } from '../shared/time.ts';
import { computeLineAmounts, partOfLine } from '../tax/line-taxes.ts';
import type { OrderEvent, ReturnDecision, ReturnLine } from './events.ts';
import { LONGEST_NOTE } from './fulfilment.ts';
import {
  canBecome,
  countLeft,
  findPlaceOfSupply,
  isTooLateToReturn,
  lastDayToReturn,
  ownedBy,
  returnPolicy,
  type ExistingOrder,
  type Order,
  type OrderReturn,
  type OrderStatus,
  type ReturnStatus,
} from './rules.ts';
import { computeTotals } from './totals.ts';

export type RequestReturn = {
  readonly type: 'RequestReturn';
  readonly by: ShopperId;
  /** If the lines are left out, all bottles that have not come back are meant. */
  readonly lines?: readonly ReturnLine[] | undefined;
  readonly reason: string;
  readonly opened: boolean;
  /** The taxes of an order depend on whether it was delivered within the seller's state. */
  readonly sellerState: IndianState;
  readonly now: Instant;
};
/** The number of a return of the order; its last one if left out. */
type WhichReturn = { readonly return?: number | undefined };
/** This command is sent by staff. */
export type DecideReturn = WhichReturn & {
  readonly type: 'DecideReturn';
  readonly decision: ReturnDecision;
  readonly note: string;
  readonly now: Instant;
};
/** This command is sent by staff when the bottles of a return have arrived. */
export type ReceiveReturn = WhichReturn & { readonly type: 'ReceiveReturn'; readonly restock: boolean; readonly now: Instant };

export type ReturnRejection =
  | { readonly code: 'order_not_found' }
  | { readonly code: 'illegal_transition'; readonly from: OrderStatus; readonly to: OrderStatus }
  | { readonly code: 'note_too_long'; readonly most: number }
  /** `policy` is the sentence of the return policy that applies. */
  | { readonly code: 'bottle_opened'; readonly policy: string }
  | { readonly code: 'return_too_late'; readonly policy: string; readonly lastDay: CalendarDate }
  | { readonly code: 'return_open' }
  | { readonly code: 'nothing_to_return' }
  /** `left` is how many bottles of the perfume can still come back. */
  | { readonly code: 'return_exceeds_order'; readonly products: readonly { readonly productId: ProductId; readonly left: number }[] }
  | { readonly code: 'return_not_found' }
  | { readonly code: 'return_settled'; readonly status: ReturnStatus; readonly restock: boolean | null };

type Decided = Decision<OrderEvent, ReturnRejection>;

const findLast = ({ returns }: ExistingOrder): OrderReturn | undefined => returns.at(-1);

/** Returns the return on which staff have to decide, or whose bottles are on their way back. */
const findOpen = (order: ExistingOrder): OrderReturn | undefined => {
  const last = findLast(order);
  return last?.status === 'requested' || last?.status === 'accepted' ? last : undefined;
};

const listLeft = (order: ExistingOrder): readonly ReturnLine[] =>
  [...new Set(order.lines.map(({ productId }) => productId))]
    .map((productId) => ({ productId, quantity: countLeft(order, productId) }))
    .filter(({ quantity }) => quantity > 0);

const addLines = (lines: readonly ReturnLine[]): readonly ReturnLine[] => {
  const quantities = new Map<ProductId, number>();
  for (const { productId, quantity } of lines) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  return [...quantities].map(([productId, quantity]) => ({ productId, quantity }));
};

/** Returns whether these bottles are all that is left to come back. */
const isRest = (order: ExistingOrder, lines: readonly ReturnLine[]): boolean =>
  listLeft(order).every((rest) => lines.some(({ productId, quantity }) => productId === rest.productId && quantity >= rest.quantity));

/** Adds up what the credit note of these bottles will have: price and tax of each line, and the gift wrap with the last bottle. */
const computeValue = (order: ExistingOrder, lines: readonly ReturnLine[], sellerState: IndianState): Paise => {
  const amounts = computeLineAmounts(order.lines, (findPlaceOfSupply(order) ?? sellerState) === sellerState);
  const parts = order.lines.flatMap((line, index) => {
    const quantity = lines.find(({ productId }) => productId === line.productId)?.quantity ?? 0;
    const before = line.quantity - countLeft(order, line.productId);
    const of = amounts[index];
    return of ? Object.values(partOfLine({ ...of, quantity: line.quantity }, before, quantity)) : [];
  });
  return sum([...parts, isRest(order, lines) ? computeTotals(order).giftWrap : ZERO]);
};

/** Returns why the shopper may not return these bottles now. Another shopper's order counts as not found. */
const whyNot = (order: ExistingOrder, { reason, opened, now }: RequestReturn): ReturnRejection | undefined => {
  if (reason.length > LONGEST_NOTE) return { code: 'note_too_long', most: LONGEST_NOTE };
  if (order.status === 'returned') return { code: 'nothing_to_return' };
  if (!canBecome(order.status, 'returned')) return { code: 'illegal_transition', from: order.status, to: 'returned' };
  if (findOpen(order)) return { code: 'return_open' };
  if (opened) return { code: 'bottle_opened', policy: returnPolicy.unopened };
  if (order.deliveredAt === null || !isTooLateToReturn(order.deliveredAt, now)) return undefined;
  return { code: 'return_too_late', policy: returnPolicy.unopened, lastDay: lastDayToReturn(order.deliveredAt) };
};

export const requestReturn = (order: Order, command: RequestReturn): Decided => {
  const { by, lines: asked, reason, opened, sellerState, now: requestedAt } = command;
  const mine = ownedBy(by, order);
  if (mine === undefined) return reject({ code: 'order_not_found' });
  const no = whyNot(mine, command);
  if (no) return reject(no);
  const lines = asked === undefined ? listLeft(mine) : addLines(asked);
  const products = lines
    .map(({ productId, quantity }) => ({ productId, quantity, left: countLeft(mine, productId) }))
    .filter(({ quantity, left }) => quantity > left)
    .map(({ productId, left }) => ({ productId, left }));
  if (products.length > 0) return reject({ code: 'return_exceeds_order', products });
  const value = computeValue(mine, lines, sellerState);
  const data = { shopper: mine.shopper, return: mine.returns.length + 1, lines, value, reason: personalText(reason), opened, requestedAt };
  return accept({ type: 'ReturnRequested', data });
};

/** Returns the return that a command is about, or why there is none. Only the last one of an order may not be settled yet. */
const getReturn = (
  order: Order,
  { return: id }: WhichReturn,
): { readonly of: ExistingOrder; readonly asked: OrderReturn } | ReturnRejection => {
  if (order.status === 'none') return { code: 'order_not_found' };
  const asked = id === undefined ? findLast(order) : order.returns.find((each) => each.id === id);
  return asked ? { of: order, asked } : { code: 'return_not_found' };
};

/** The same decision again changes nothing. */
export const decideReturn = (order: Order, command: DecideReturn): Decided => {
  const { decision, note, now: decidedAt } = command;
  const found = getReturn(order, command);
  if ('code' in found) return reject(found);
  if (note.length > LONGEST_NOTE) return reject({ code: 'note_too_long', most: LONGEST_NOTE });
  const { of, asked } = found;
  if (asked.status === decision || (decision === 'accepted' && asked.status === 'received')) return accept();
  if (asked.status !== 'requested' || of.status !== 'delivered') return reject({ code: 'return_settled', ...asked });
  const data = { shopper: of.shopper, return: asked.id, decision, note: personalText(note), decidedAt };
  return accept({ type: 'ReturnDecided', data });
};

/** Receiving it again in the same way changes nothing. The order is returned once all its bottles came back. */
export const receiveReturn = (order: Order, command: ReceiveReturn): Decided => {
  const { restock, now } = command;
  const found = getReturn(order, command);
  if ('code' in found) return reject(found);
  const { of, asked } = found;
  if (asked.status === 'received' && asked.restock === restock) return accept();
  if (asked.status !== 'accepted' || of.status !== 'delivered') return reject({ code: 'return_settled', ...asked });
  const received: OrderEvent = { type: 'ReturnReceived', data: { return: asked.id, restock, receivedAt: now } };
  const returned: OrderEvent = { type: 'OrderReturned', data: { shopper: of.shopper, reason: NO_TEXT, returnedAt: now } };
  return accept<OrderEvent>(received, ...(isRest(of, asked.lines) ? [returned] : []));
};

/** Ends the return of an erased shopper that was only asked for, since nobody can be answered. One that was accepted may be on its way. */
export const refuseErased = (order: ExistingOrder, decidedAt: Instant): readonly OrderEvent[] => {
  const last = findLast(order);
  if (last?.status !== 'requested') return [];
  const data = { shopper: order.shopper, return: last.id, decision: 'refused', note: NO_TEXT, decidedAt, because: 'erased' } as const;
  return [{ type: 'ReturnDecided', data }];
};

type ReturnEvent = Extract<OrderEvent, { type: 'ReturnRequested' | 'ReturnDecided' | 'ReturnReceived' }>;

/** Returns the returns of an order after an event. */
export const returnsAfter = (returns: readonly OrderReturn[], event: ReturnEvent): readonly OrderReturn[] => {
  if (event.type === 'ReturnRequested') {
    const { return: id, lines, value, reason, requestedAt } = event.data;
    const asked = { id, status: 'requested', lines, value, reason, requestedAt } as const;
    return [...returns, { ...asked, decidedAt: null, note: NO_TEXT, receivedAt: null, restock: null }];
  }
  const change = (each: OrderReturn): OrderReturn => {
    if (event.type === 'ReturnReceived')
      return { ...each, status: 'received', restock: event.data.restock, receivedAt: event.data.receivedAt };
    const { decision, note, decidedAt, because } = event.data;
    return { ...each, status: decision, note: because === undefined ? note : REFUSED_BECAUSE_ERASED, decidedAt };
  };
  return returns.map((each) => (each.id === event.data.return ? change(each) : each));
};

const REFUSED_BECAUSE_ERASED = personalText('The shopper’s data were erased');

/** Returns why no decision on this order can lead to this event of a return; undefined if one can. */
export const impossibleReturn = (order: ExistingOrder, event: ReturnEvent): string | undefined => {
  if (order.status !== 'delivered') return `${event.type} of an order that is ${order.status}`;
  const last = findLast(order);
  if (event.type !== 'ReturnRequested') {
    const status = event.type === 'ReturnReceived' ? 'accepted' : 'requested';
    return last?.id === event.data.return && last.status === status ? undefined : `${event.type} of a return that was not ${status}`;
  }
  if (findOpen(order)) return 'a return was asked for while another was open';
  const isTooMuch = addLines(event.data.lines).some(({ productId, quantity }) => quantity > countLeft(order, productId));
  return isTooMuch ? 'more was to be returned than was bought' : undefined;
};
