import { Router } from '@koa/router';
import type { IncomingMessage } from 'node:http';

import { shopperId } from '#domain/shared/ids.ts';
import { myOrders } from '#projections/my-orders/projector.ts';
import type { Progress } from '#projections/progress.ts';
import type { Wire } from '#projections/wire.ts';

import type { User } from '../accounts/user.ts';
import { built } from '../http/built.ts';
import type { State } from '../http/context.ts';
import { fresh, isFresh, positionNeeded, readModel } from '../http/freshness.ts';
import { sendJson } from '../http/ready-json.ts';
import type { ReadyRoute } from '../http/ready-routes.ts';
import { signedIn, userIfAny, userOf } from '../http/session.ts';
import type { ShownOrders } from '../shown-orders.ts';

export type MyOrdersRoutesDeps = { readonly orders: Pick<ShownOrders, 'mine'>; readonly progress: Progress };

const FOLLOWS = ['order'] as const;

/** `GET /order/get-AllOrders`: the signed-in user's own orders, whatever else the URL asks for (decisions, section 3). */
export const myOrdersRoutes = ({ orders, progress }: MyOrdersRoutesDeps): { routes: Router<State>; ready: ReadyRoute } => {
  const model = readModel(progress, myOrders.name);
  const mine = ({ id }: User, req: IncomingMessage): Promise<Wire> => orders.mine(shopperId(id), positionNeeded(req, FOLLOWS));

  const routes = new Router<State>().get(
    '/order/get-AllOrders',
    signedIn,
    built(progress, myOrders.name),
    fresh(model, FOLLOWS),
    async (ctx) => sendJson(ctx, await mine(await userOf(ctx), ctx.req)),
  );

  const ready: ReadyRoute = {
    path: '/api/order/get-AllOrders',
    isCurrent: (req) => progress.isBuilt(myOrders.name) && isFresh(model, req, FOLLOWS),
    answer: async (req) => {
      const user = await userIfAny({ req });
      return user && mine(user, req);
    },
  };

  return { routes, ready };
};
