import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

import type { CartEvent } from '#domain/cart/events.ts';
import type { CartView } from '#domain/cart/view.ts';
import { START, type LogPosition, type Recorded } from '#domain/event-store.ts';
import { product, type ProductCommand } from '#domain/product/product.ts';

import { browser, type Answer, type Browser } from '../../accounts/testing/browser.ts';
import type { TestShop } from '../../testing/test-shop.ts';

const byAdmin = () => ({ commandId: randomUUID(), correlationId: 'r', causationId: 'r', actor: { kind: 'admin', id: 'meera' } }) as const;

/** Executes commands on a product. */
export const toProduct = async (shop: TestShop, id: string, ...commands: readonly ProductCommand[]): Promise<void> => {
  for (const command of commands) await shop.execute(product, `product-${id}`, command, byAdmin());
};

/** Executes commands on a product, and waits until all these instances, which run read models, show the change. */
export const change = async (
  shops: readonly [TestShop, ...TestShop[]],
  id: string,
  ...commands: readonly ProductCommand[]
): Promise<void> => {
  await toProduct(shops[0], id, ...commands);
  for (const each of shops) expect(await each.catalogue.waitFor(await each.store.head(['product']), 60_000)).toBe('fresh');
};

export type CartAnswer = Answer & { readonly cart: CartView };

export type ShoppingBrowser = Browser & {
  cart(): Promise<CartAnswer>;
  add(product: unknown): Promise<CartAnswer>;
  update(productId: string, body: unknown): Promise<CartAnswer>;
  remove(productId: string): Promise<CartAnswer>;
};

export const shopping = ({ url }: Pick<TestShop, 'url'>): ShoppingBrowser => {
  const at = browser(url);
  const withCart = (answer: Answer): CartAnswer => ({ ...answer, cart: answer.body as CartView });
  return {
    ...at,
    cart: async () => withCart(await at.get('/api/cart/get-cart')),
    add: async (body) => withCart(await at.post('/api/cart/add-to-cart', body)),
    update: async (productId, body) => withCart(await at.send('PUT', `/api/cart/update/${productId}`, { body })),
    remove: async (productId) => withCart(await at.send('DELETE', `/api/cart/remove/${productId}`)),
  };
};

export const countItems = ({ cart }: CartAnswer): Record<string, number> =>
  Object.fromEntries(cart.items.map(({ productId, quantity }) => [productId, quantity]));

/** Returns the cart events since this position, oldest first, at most 1,000. */
export const cartEvents = async ({ store }: TestShop, since: LogPosition = START): Promise<readonly Recorded<CartEvent>[]> => {
  // The cast is safe: the category `cart` has no other events.
  return (await store.page(since, 1_000, ['cart'])) as readonly Recorded<CartEvent>[];
};
