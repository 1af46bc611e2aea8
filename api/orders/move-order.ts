import type { Actor } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { order } from '#domain/order/order.ts';
import { viewOrder } from '#domain/order/view.ts';
import type { OrderId } from '#domain/shared/ids.ts';

import { SubjectErased } from '../event-store/encryption/subject-keys.ts';
import { Rejected } from '../command-handler/execute.ts';
import type { ShopMiddleware } from '../http/context.ts';
import { parse } from '../http/input.ts';
import { bodyOf } from '../http/json-body.ts';
import { HttpError } from '../http/http-error.ts';
import { answerTo } from '../http/rejection-answers.ts';
import { handleOrderCommand, requireOrder, orderIdIn, type OrderRoutesDeps } from './order-commands.ts';
import { MoveInput } from './inputs.ts';
import { orderStream } from './order-stream.ts';

/** Events that change the owner or a draft, not the status. */
const WITHOUT_MOVING: ReadonlySet<OrderEvent['type']> = new Set<OrderEvent['type']>(['OrderClaimed', 'OrderRevised']);

const called = async ({ kind, id }: Actor, { nameOf }: OrderRoutesDeps['orders']): Promise<string> => {
  if (kind === 'admin') return (await nameOf(id)) ?? 'A former admin';
  return kind === 'system' ? 'The shop' : 'The shopper';
};

/**
 * The refusal for a page that showed an older state, with the current order and who changed its status last: `current` and `changedBy:
 * {kind, name, at}`.
 */
const staleMove = async ({ store, orders }: OrderRoutesDeps, id: OrderId, no: Rejected): Promise<HttpError> => {
  const { events } = await store.read<OrderEvent>(orderStream(id));
  const current = requireOrder(events.reduce(order.evolve, order.initial));
  const last = events.findLast(({ type }) => !WITHOUT_MOVING.has(type));
  const answer = answerTo(no.rejection);
  if (!last) return new HttpError(answer);
  const { actor, recordedAt } = last.metadata;
  const name = await called(actor, orders);
  const details = { current: viewOrder(id, current), changedBy: { kind: actor.kind, name, at: recordedAt } };
  return new HttpError({ ...answer, message: `${answer.message}. ${name} changed it last.`, details });
};

const shopperErased = (): HttpError =>
  new HttpError({ status: 409, code: 'shopper_erased', message: 'The data of this shopper was erased. Please leave out the note.' });

/** `PUT /admin/order/:id/status`: staff change an order's status. */
export const moveOrder =
  (deps: OrderRoutesDeps): ShopMiddleware =>
  async (ctx) => {
    const { status: to, note } = parse(MoveInput, bodyOf(ctx));
    const command = { type: 'MoveOrder', to, note, now: deps.now() } as const;
    try {
      await handleOrderCommand(ctx, deps, command);
    } catch (error) {
      if (error instanceof SubjectErased) throw shopperErased();
      if (error instanceof Rejected && error.rejection.code === 'illegal_transition') throw await staleMove(deps, orderIdIn(ctx), error);
      throw error;
    }
  };
