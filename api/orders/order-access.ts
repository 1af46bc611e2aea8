import { order, orderStream } from '#domain/order/order.ts';
import type { ExistingOrder } from '#domain/order/rules.ts';
import { viewOrder } from '#domain/order/view.ts';
import { shopperId, type OrderId, type ShopperId } from '#domain/shared/ids.ts';
import { hasDuty, type Duty } from '#domain/staff/duties.ts';

import { findSession, refuseRight, shopperOfSession, userIfAny, userToday } from '../accounts/sessions/session.ts';
import type { Session } from '../accounts/sessions/session-store.ts';
import type { ShopContext } from '../http/context.ts';
import type { Shop } from '../shop.ts';
import { addMailProblem, orderNotFound, parseOrderId, requireOrder, type MailProblems } from './order-commands.ts';
import type { OrderLinks } from './order-links.ts';
import { shownPayment } from './order-payment.ts';

export type AccessDeps = Pick<Shop, 'load'> & { readonly links: Pick<OrderLinks, 'isOpen'> };

/**
 * Who asks for an order: its shopper, somebody who opened it in this session by a mailed link and may do what its shopper may, or staff,
 * who may only read it here.
 */
export type Access = 'shopper' | 'link' | 'staff';

/**
 * Decides for all routes whether a session reaches an order; staff need the duty `toRead`. For a session without access the order does not
 * exist.
 */
export const findAccess = async (
  ctx: ShopContext,
  { links }: Pick<AccessDeps, 'links'>,
  session: Session,
  { id, state }: { readonly id: OrderId; readonly state: ExistingOrder },
  toRead: Duty = 'orders',
): Promise<Access | undefined> => {
  if (shopperOfSession(session).id === state.shopper) return 'shopper';
  const user = session.owner.kind === 'user' ? await userToday(ctx) : undefined;
  // Staff never act as the shopper, whatever links they have opened.
  if (user && user.roles.length > 0) return hasDuty(user.roles, toRead) ? 'staff' : undefined;
  return (await links.isOpen(session.id, id, state)) ? 'link' : undefined;
};

export type ReachedOrder = { readonly id: OrderId; readonly state: ExistingOrder; readonly access: Access };

/** Throws a 403 for staff: called when their roles lack the duty. */
export const refuseStaff = async (ctx: ShopContext, toRead: Duty = 'orders'): Promise<void> => {
  const user = await userIfAny(ctx);
  if (user && user.roles.length > 0) refuseRight(ctx, user, toRead);
};

/**
 * Loads the order in the path from the log, where other processes' changes are visible. Throws a 403 for staff without the duty `toRead`,
 * and a 404 for others without access.
 */
export const reachOrder = async (ctx: ShopContext, deps: AccessDeps, toRead: Duty = 'orders'): Promise<ReachedOrder> => {
  const id = parseOrderId(ctx);
  const session = await findSession(ctx);
  if (!session) throw orderNotFound();
  const state = requireOrder((await deps.load(order, orderStream(id))).state);
  const access = await findAccess(ctx, deps, session, { id, state }, toRead);
  if (access) return { id, state, access };
  await refuseStaff(ctx, toRead);
  throw orderNotFound();
};

type ViewDeps = Pick<Shop, 'load' | 'now'> & { readonly mails: MailProblems };

/** Staff see `mailProblem` too; `byLink` says that a mailed link opened the order in this session. */
export const viewReached = async (deps: ViewDeps, { id, state, access }: ReachedOrder) => {
  const view = viewOrder(id, state, await shownPayment(deps, id, state));
  if (access === 'staff') return addMailProblem(deps.mails, view);
  return access === 'link' ? { ...view, byLink: true } : view;
};

/** Returns the shopper as whom this session may change the order in the path. Throws `order_not_found`; for staff too. */
export const requireOwner = async (ctx: ShopContext, deps: AccessDeps): Promise<ShopperId> => {
  const { state, access } = await reachOrder(ctx, deps);
  if (access === 'staff') throw orderNotFound();
  return state.shopper;
};

/** Returns the shopper of the session, for orders that are not placed yet: no link opens these. Throws `order_not_found` without a session. */
export const requireShopper = async (ctx: ShopContext): Promise<ShopperId> => {
  const session = await findSession(ctx);
  if (!session) throw orderNotFound();
  return shopperId(shopperOfSession(session).id);
};
