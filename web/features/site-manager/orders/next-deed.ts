import { handlingStep, overdueFrom } from '#domain/order/next-steps.ts';
import { isToMove } from '#domain/order/rules.ts';
import { isUnreachable } from '#domain/order/view.ts';
import { today } from '../calendar-days.ts';
import type { AdminOrder } from '../admin-types.ts';

/** What staff do with an order next. */
export const deeds = ['confirm', 'pack', 'ship', 'deliver'] as const;
export type Deed = (typeof deeds)[number];

type DeedWords = { readonly action: string; readonly doing: string; readonly done: string; readonly failed: string };
export const deedWords: Readonly<Record<Deed, DeedWords>> = {
  confirm: { action: 'Confirm', doing: 'Confirming', done: 'Confirmed', failed: 'not confirmed' },
  pack: { action: 'Pack', doing: 'Packing', done: 'Packed', failed: 'not packed' },
  ship: { action: 'Ship', doing: 'Shipping', done: 'Shipped', failed: 'not shipped' },
  deliver: { action: 'Deliver', doing: 'Delivering', done: 'Delivered', failed: 'not delivered' },
};

/** Returns the next deed; undefined while the order waits for somebody else, or has come to its end. */
export const nextDeed = (order: AdminOrder): Deed | undefined => {
  const { status, packedAt, payment } = order;
  if (status === 'shipped') return 'deliver';
  if (isToMove(status) && (isUnreachable(order) || payment.status === 'due' || payment.status === 'refunded')) return undefined;
  return handlingStep({ status, packedAt }) ?? undefined;
};

/** Returns the deeds that all of these orders can take. What is confirmed can be shipped without the mark of packing. */
export const sharedDeeds = (orders: readonly AdminOrder[]): readonly Deed[] =>
  deeds.filter((deed) =>
    orders.every((order) => {
      const next = nextDeed(order);
      return next === deed || (deed === 'ship' && next === 'pack');
    }),
  );

/** Returns whether the order should have left, or arrived, before today. */
export const isOverdue = ({ status, placedAt, payment }: AdminOrder): boolean => {
  const from = overdueFrom(status, placedAt);
  return from !== null && payment.status !== 'due' && from <= today();
};
