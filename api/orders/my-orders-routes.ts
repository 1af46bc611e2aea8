import { Router } from '@koa/router';

import { shopperId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import type { Progress } from '#projections/reading/progress.ts';

import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { fresh, positionNeeded, readModel } from '../http/freshness.ts';
import { sendJson } from '../fast-path/cached-response.ts';
import { signedIn, userOf } from '../accounts/sessions/session.ts';
import type { ShownOrders } from './order-lists.ts';

export type MyOrdersRoutesDeps = { readonly orders: Pick<ShownOrders, 'mine'>; readonly progress: Progress };

const FOLLOWS = ['order'] as const;

/** `GET /order/get-AllOrders`: the signed-in user's own orders, whatever the URL asks for. */
export const myOrdersRoutes = ({ orders, progress }: MyOrdersRoutesDeps): Router<State> =>
  new Router<State>().get(
    '/order/get-AllOrders',
    signedIn,
    built(progress, myOrders.name),
    fresh(readModel(progress, myOrders.name), FOLLOWS),
    async (ctx) => {
      const { id } = await userOf(ctx);
      sendJson(ctx, await orders.mine(shopperId(id), positionNeeded(ctx.req, FOLLOWS)));
    },
  );
