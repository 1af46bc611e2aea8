import type Router from '@koa/router';
import Koa from 'koa';

import { drawOrderNumber, productId } from '#domain/shared/ids.ts';
import { stock, stockStream } from '#domain/stock/stock.ts';
import { STANDARD_RATE } from '#domain/tax/rates.ts';

import { createAggregates } from '../../command-handler/aggregates.ts';
import { atSignIn } from '../../composition/at-sign-in.ts';
import { cartRoutes } from '../../cart/routes.ts';
import { createExecute } from '../../command-handler/execute.ts';
import { type State, requestId } from '../../http/context.ts';
import { errors } from '../../http/errors.ts';
import { idempotency } from '../../accounts/idempotency/idempotency.ts';
import { getBody } from '../../http/json-body.ts';
import { sessionCookies } from '../../accounts/sessions/session-cookies.ts';
import { commandMetadata, signIn, signOut, withSessions, type OnSignedIn } from '../../accounts/sessions/session.ts';
import { checkAccess } from '../../accounts/staff/access.ts';
import { unmatchedRoute } from '../../http/not-found.ts';
import { createRouter } from '../../http/router.ts';
import { keyedMutex } from '../../platform/keyed-mutex.ts';
import { orderIdsUnder } from '../../orders/order-ids.ts';
import { createOrderNumbers } from '../../orders/order-numbers.ts';
import type { Orders } from '../../orders/open-orders.ts';
import { orderRoutes } from '../../orders/routes.ts';
import { productAdminRoutes } from '../../catalogue/admin-routes.ts';
import { handOverBody, inProcessRequests, captureAnswer, type SimulatedAnswer } from './in-process-requests.ts';
import type { Request } from '../journeys/browsing.ts';
import { openLog } from './simulated-log.ts';
import type { Life } from './scheduler.ts';
import { SimulatedListing } from './simulated-listing.ts';
import { answerCacheAt, reserveAt, sessionsAt, visitorsAt, type At } from './test-doubles.ts';
import { createNetworkCall } from './simulated-network.ts';
import { getNetworkParts, type World } from './world.ts';

/** There are few symbols, so that two processes sometimes draw the same number. */
const SYMBOLS_DRAWN = 4;

export const derivedIds = orderIdsUnder(Buffer.from('the key of the order ids'));

/** Creates the parts of a process: the real handlers, with a simulated network to store and tables. */
export const openParts = (world: World, life: Life) => {
  const { scheduler, tables, newId, plants } = world;
  const store = openLog(world, life);
  const honest = createAggregates({ streams: store, capacity: 3 });
  const aggregates = plants.aggregates?.(honest) ?? honest;
  const mutex = keyedMutex({ now: scheduler.milliseconds });
  const honestly = createExecute(store, { aggregates, mutex, now: scheduler.milliseconds });
  const execute = plants.execute?.(honestly) ?? honestly;
  const viaNetwork = createNetworkCall(getNetworkParts(world), life);
  const at: At = { tables, viaNetwork, milliseconds: scheduler.milliseconds, newId };
  return { store, execute, load: aggregates.load, cached: aggregates.cached, now: scheduler.now, at };
};

export type Parts = ReturnType<typeof openParts>;

const onSignedIn = ({ plants }: World, { at, ...parts }: Parts): OnSignedIn =>
  atSignIn({ ...parts, log: { warn: () => undefined }, idOf: plants.idOf?.(derivedIds) ?? derivedIds, visitors: visitorsAt(at) });

/** Replaces routes that need accounts or search: sign-in without a password, the whole catalogue as listing, and receiving stock. */
const doors = ({ users }: World, { execute, now }: Parts, shopWindow: SimulatedListing): Router<State> =>
  createRouter()
    .get('/product', (ctx) => {
      ctx.body = shopWindow.all();
    })
    .put('/admin/stock/:productId', async (ctx) => {
      const { received: quantity } = getBody(ctx) as { readonly received: number };
      const stream = stockStream(productId(ctx.params['productId'] ?? ''));
      await execute(stock, stream, { type: 'ReceiveStock', quantity, now: now() }, await commandMetadata(ctx));
      ctx.body = {};
    })
    .post('/user/login', async (ctx) => {
      const { email } = getBody(ctx) as { readonly email: string };
      const user = users.get(email);
      if (!user) throw new Error(`There is no user ${email}`);
      await signIn(ctx, user, 'password');
      ctx.body = {};
    })
    .post('/user/logout', async (ctx) => {
      await signOut(ctx);
      ctx.body = {};
    });

const createRoutes = (world: World, parts: Parts, catalogue: SimulatedListing): Router<State> => {
  const numbers = createOrderNumbers(reserveAt(parts.at), () =>
    drawOrderNumber((below) => world.scheduler.random.upTo(Math.min(below, SYMBOLS_DRAWN))),
  );
  const orders: Orders = {
    idOf: world.plants.idOf?.(derivedIds) ?? derivedIds,
    numbers,
    // Nobody is erased here.
    beforeErasure: (_, work) => work(false),
    nameOf: () => Promise.resolve('The clerk'),
  };
  const limits = { spend: () => Promise.resolve() };
  const links = { isOpen: () => Promise.resolve(false) };
  const mails = { findProblems: () => Promise.resolve(new Map()), sendAgain: () => Promise.resolve() };
  const rates = { today: () => ({ get: () => STANDARD_RATE }) };
  const api = createRouter({ prefix: '/api' });
  const routers = [
    doors(world, parts, catalogue),
    productAdminRoutes({ ...parts, catalogue }),
    cartRoutes({ ...parts, catalogue, rates }),
    orderRoutes({
      ...parts,
      startPaymentWindow: async () => parts.now(),
      orders,
      links,
      limits,
      mails,
      log: world.log,
      isPrepaidAvailable: true,
    }),
  ];
  for (const routes of routers) api.use(routes.routes());
  return api;
};

export type ApiProcess = {
  readonly life: Life;
  readonly answer: (request: Request & { readonly id: string }, cookies: string) => Promise<SimulatedAnswer>;
};

export const openApi = (world: World, life: Life): ApiProcess => {
  const { scheduler, log } = world;
  const parts = openParts(world, life);
  const catalogue = new SimulatedListing({ scheduler, life, tables: world.tables, viaNetwork: parts.at.viaNetwork });
  const securityLog = { record: () => undefined, flush: () => Promise.resolve() };
  const waiting = {
    now: scheduler.milliseconds,
    wait: (milliseconds: number) => scheduler.turn(life, 'waits for the answer to come', milliseconds),
  };
  const app = new Koa<State>();
  app.use(captureAnswer);
  app.use(requestId);
  app.use(errors(log));
  app.use(
    withSessions({
      sessions: sessionsAt(parts.at),
      cookies: sessionCookies({ publicUrl: 'http://localhost' }),
      onSignedIn: onSignedIn(world, parts),
      securityLog,
    }),
  );
  app.use(checkAccess);
  app.use(handOverBody);
  app.use(idempotency(answerCacheAt(parts.at, world.plants), waiting));
  app.use(createRoutes(world, parts, catalogue).routes());
  app.use(unmatchedRoute);
  void catalogue.keep();
  return { life, answer: inProcessRequests(app) };
};
