import Router from '@koa/router';

import type { ShopMiddleware, State } from './context.ts';

/** `cart` of `/api/cart/get-cart`. */
const resourceOf = (path: string): string => path.split('/', 3)[2]?.toLowerCase() ?? '';

/**
 * The routes of a router whose paths all begin as `/api/<resource>`, each resource in a router of its own: a router tries every one of its
 * patterns on every path, and of those of other resources none can fit.
 */
export const byResource = (api: Router<State>): ShopMiddleware => {
  const routers = new Map<string, Router<State>>();
  for (const layer of api.stack) {
    const resource = resourceOf(String(layer.path));
    const router = routers.get(resource) ?? new Router<State>();
    router.stack.push(layer);
    routers.set(resource, router);
  }
  const routes = new Map([...routers].map(([resource, router]) => [resource, router.routes()]));
  return (ctx, next) => {
    const found = routes.get(resourceOf(ctx.path));
    // What a router adds to the context it finds there by itself.
    return found ? found(ctx as never, next) : next();
  };
};
