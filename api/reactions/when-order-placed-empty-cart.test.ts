import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { addItem, anOrder, closeCart, gulabLine, meera, visitor } from '#domain/testing/carts.ts';
import { create, place } from '#domain/testing/orders.ts';
import { ruhGulab } from '#domain/testing/products.ts';
import { cartStream } from '#domain/cart/cart.ts';

import { takeFromCart } from '../orders/take-from-cart.ts';
import { orderAt } from './following-order.ts';
import type { Reaction } from './reaction.ts';
import { findEvent, metadata, openFollowedShop, type FollowedShop } from './testing/following.ts';
import { whenOrderPlacedEmptyCart } from './when-order-placed-empty-cart.ts';

let shop: FollowedShop;
let emptyCart: Reaction;
beforeEach(async () => {
  shop = await openFollowedShop();
  emptyCart = whenOrderPlacedEmptyCart(shop);
});
afterEach(() => shop.close());

/** Puts the lines of the order in `domain/testing/orders.ts` into a cart: two Oud Saffron Majlis and a Ruh Gulab. */
const fill = async (owner: string = meera): Promise<void> => {
  await shop.toCart(owner, addItem({ quantity: 2 }));
  await shop.toCart(owner, addItem({ productId: ruhGulab }));
};
const placeOrder = async (by = meera, id = anOrder): Promise<void> => {
  await shop.toOrder(create({ by }), id);
  await shop.toOrder(place({ by }), id);
};
const merge = async (): Promise<void> => {
  const { lines, closed } = await shop.cartOf(visitor);
  if (closed === null) return expect.fail('the cart is open');
  await shop.toCart(meera, { type: 'MergeCarts', from: visitor, into: meera, lines, closedAt: closed.at, now: closed.at });
};
const typesIn = async (owner: string): Promise<string[]> => (await shop.store.read(cartStream(owner))).events.map(({ type }) => type);
const linesIn = async (owner: string) => (await shop.cartOf(owner)).lines.map(({ productId, quantity }) => [productId, quantity]);

describe('when an order is placed', () => {
  test('its lines leave the cart, and the metadata name the order as the cause', async () => {
    await fill();
    await placeOrder();
    shop.start(emptyCart);
    await shop.caughtUp(emptyCart);
    expect(await linesIn(meera)).toEqual([]);
    const cause = await findEvent(shop, 'OrderPlaced');
    const taken = (await shop.store.read(cartStream(meera))).events.at(-1);
    expect(taken).toMatchObject({
      type: 'OrderedItemsTaken',
      data: { order: anOrder },
      metadata: { causationId: cause.metadata.eventId, correlationId: 'a-request', actor: { kind: 'system', id: 'empty-cart' } },
    });
  });

  test('the cart is unchanged if placing has emptied it already', async () => {
    await fill();
    await placeOrder();
    const placed = { id: anOrder, order: await orderAt(shop, await findEvent(shop, 'OrderPlaced')) };
    await takeFromCart(shop, placed, metadata());
    await fill();
    shop.start(emptyCart);
    await shop.caughtUp(emptyCart);
    expect(await linesIn(meera)).toEqual([
      ['oud-saffron-majlis', 2],
      ['ruh-gulab', 1],
    ]);
  });

  test('a repeated request takes the lines although it has merged the cart of an interrupted sign-in itself', async () => {
    await fill(visitor);
    await placeOrder(visitor);
    await shop.toCart(visitor, closeCart());
    const placed = { id: anOrder, order: await orderAt(shop, await findEvent(shop, 'OrderPlaced')) };
    const repeated = { ...metadata(), isRepeated: true };
    await takeFromCart(shop, placed, repeated);
    expect(await typesIn(meera)).toEqual(['CartsMerged', 'OrderedItemsTaken']);
  });

  test('the log is not read if this process has cached the emptied cart', async () => {
    await fill();
    await placeOrder();
    const event = await findEvent(shop, 'OrderPlaced');
    await emptyCart.react(event);
    const read = () => expect.fail('the log was read');
    await whenOrderPlacedEmptyCart({ ...shop, store: { ...shop.store, read }, load: read, execute: read }).react(event);
    expect(await linesIn(meera)).toEqual([]);
  });
});

describe("after the visitor's sign-in", () => {
  test('the lines leave the cart that they were merged into', async () => {
    await fill(visitor);
    await placeOrder(visitor);
    await shop.toCart(meera, addItem({ productId: ruhGulab, quantity: 3 }));
    await shop.toCart(visitor, closeCart());
    await merge();
    await emptyCart.react(await findEvent(shop, 'OrderPlaced'));
    expect(await linesIn(meera)).toEqual([[gulabLine().productId, 3]]);
  });

  test('the lines do not come back when an interrupted merge is completed', async () => {
    await fill(visitor);
    await placeOrder(visitor);
    await shop.toCart(visitor, closeCart());
    await emptyCart.react(await findEvent(shop, 'OrderPlaced'));
    await merge();
    expect(await linesIn(meera)).toEqual([]);
    expect(await typesIn(meera)).toEqual(['CartsMerged', 'OrderedItemsTaken']);
  });

  test("nothing is removed from the user's cart if the lines had left the visitor's cart before", async () => {
    await fill(visitor);
    await placeOrder(visitor);
    const event = await findEvent(shop, 'OrderPlaced');
    await emptyCart.react(event);
    await shop.toCart(visitor, addItem({ quantity: 1 }));
    await shop.toCart(visitor, closeCart());
    await merge();
    await emptyCart.react(event);
    expect(await linesIn(meera)).toEqual([['oud-saffron-majlis', 1]]);
  });
});
