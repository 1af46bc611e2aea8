import { Router } from '@koa/router';

import { shopperId } from '#domain/shared/ids.ts';
import type { MyOrders } from '#projections/my-orders/queries.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import type { Progress } from '#projections/progress.ts';

import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { fresh, readModel } from '../http/freshness.ts';
import { sendJsonText } from '../http/json-text.ts';
import { signedIn, userOf } from '../http/session.ts';

export type MyOrdersRoutesDeps = { readonly myOrders: Pick<MyOrders, 'of'>; readonly progress: Progress };

/** `GET /order/get-AllOrders`: the signed-in user's own orders, whatever else the URL asks for (decisions, section 3). */
export const myOrdersRoutes = ({ myOrders: orders, progress }: MyOrdersRoutesDeps): Router<State> => {
  const current = fresh(readModel(progress, myOrders.name), ['order']);
  return new Router<State>().get('/order/get-AllOrders', signedIn, built(progress, myOrders.name), current, async (ctx) => {
    const { id } = await userOf(ctx);
    sendJsonText(ctx, `{"orders":[${(await orders.of(shopperId(id))).join(',')}]}`);
  });
};
