import { LONGEST_REMOVAL_REASON, MOST_BOTTLES } from '#domain/stock/stock.ts';
import type { StockView } from '#domain/stock/view.ts';
import type { CallError } from '../../../lib/http/api.ts';
import { count, formatNumber } from '../../../lib/format.ts';
import { type FieldErrors, findMissing } from '../../../ui/form/use-validated-form.ts';
import type { StockCommand } from '../admin-types.ts';

/** The staff's actions on stock. They are named after the fields of the call, except `end`, which is `{count: null}`. */
export type StockAction = 'received' | 'removed' | 'count' | 'lowAt' | 'end';

export type StockForm = { readonly quantity: string; readonly reason: string };

type Words = {
  readonly text: string;
  /** The label of the number's field; without it there is nothing to fill in. */
  readonly label?: string;
  readonly button: string;
  readonly help: (stock: StockView | null) => string | undefined;
  readonly done: (quantity: number | null) => string;
};

const bottles = (quantity: number | null): string => count(quantity ?? 0, 'bottle');

export const words: Readonly<Record<StockAction, Words>> = {
  received: {
    text: 'Receive',
    label: 'Bottles received',
    button: 'Receive',
    help: () => undefined,
    done: (quantity) => `${bottles(quantity)} received.`,
  },
  removed: {
    text: 'Remove',
    label: 'Bottles removed',
    button: 'Remove',
    help: (stock) => `At most the ${formatNumber(stock?.available ?? 0)} available.`,
    done: (quantity) => `${bottles(quantity)} removed.`,
  },
  count: {
    text: 'Stocktake',
    label: 'Bottles there are',
    button: 'Save Count',
    help: (stock) => (stock && stock.reserved > 0 ? `With the ${formatNumber(stock.reserved)} reserved for orders.` : undefined),
    done: (quantity) => `${bottles(quantity)} counted.`,
  },
  lowAt: {
    text: 'Low mark',
    label: 'Low from so few available on',
    button: 'Save Mark',
    help: () => 'Empty: never listed as low.',
    done: (quantity) => (quantity === null ? 'It is never listed as low.' : `Listed as low from ${formatNumber(quantity)} available on.`),
  },
  end: {
    text: 'Stop counting',
    button: 'Stop Counting',
    help: (stock) =>
      `It stays ${(stock?.available ?? 0) > 0 ? 'in stock' : 'out of stock'} until you change that in the product. Open orders go on without it.`,
    done: () => '',
  },
};

/** Returns the possible actions. A product that is not counted has only the first count. */
export const listActions = (isCounted: boolean): readonly StockAction[] =>
  isCounted ? ['received', 'removed', 'count', 'lowAt', 'end'] : ['count'];

export const createCommand = (action: StockAction, { quantity, reason }: StockForm): StockCommand => {
  const number = Number(quantity);
  switch (action) {
    case 'received':
      return { received: number };
    case 'removed':
      return { removed: number, reason: reason.trim() };
    case 'count':
      return { count: number };
    case 'lowAt':
      return { lowAt: quantity.trim() === '' ? null : number };
    case 'end':
      return { count: null };
  }
};

const wholeFrom = (least: number, text: string): boolean =>
  /^\d{1,7}$/.test(text.trim()) && Number(text) >= least && Number(text) <= MOST_BOTTLES;

const LONGEST = `Please use at most ${LONGEST_REMOVAL_REASON} characters`;

export const stockErrors = (action: StockAction, form: StockForm): FieldErrors => {
  if (action === 'end' || (action === 'lowAt' && form.quantity.trim() === '')) return {};
  const least = action === 'received' || action === 'removed' ? 1 : 0;
  return {
    ...(!wholeFrom(least, form.quantity) && { quantity: `A whole number from ${least} to ${formatNumber(MOST_BOTTLES)}` }),
    ...findMissing(action === 'removed' ? ['quantity', 'reason'] : ['quantity'], form),
    ...(form.reason.trim().length > LONGEST_REMOVAL_REASON && { reason: LONGEST }),
  };
};

/** Refusals without fields concern the number: it is more than is available, or less than is reserved. */
export const actionFieldErrors = (action: StockAction, { status, message, errors = {} }: CallError): FieldErrors => {
  const { [action]: quantity, ...others } = errors;
  if (quantity !== undefined) return { ...others, quantity };
  return status === 409 && words[action].label !== undefined ? { quantity: message } : others;
};
