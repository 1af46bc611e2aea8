import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { shopperId, type ShopperId } from '#domain/shared/ids.ts';
import { anOrder, meera, ravi } from '#domain/testing/carts.ts';
import { create } from '#domain/testing/orders.ts';

import { claimOrder } from '../orders/claim-at-sign-in.ts';
import { createVisitorUsers } from '../orders/visitor-users.ts';
import type { Reaction } from './reaction.ts';
import { findEvent, metadata, openFollowedShop, type FollowedShop } from './testing/following.ts';
import { whenOrderCreatedClaimIt } from './when-order-created-claim-it.ts';

let shop: FollowedShop;
let claimIt: Reaction;
let visitor: ShopperId;
let user: ShopperId;
beforeEach(async () => {
  shop = await openFollowedShop();
  claimIt = whenOrderCreatedClaimIt({ ...shop, visitors: createVisitorUsers(shop.db, shop.now) });
  visitor = shopperId(randomUUID());
  const { rows } = await shop.pool.query<{ id: string }>(
    `insert into shop.users (address_hash, personal, created_at, verified_at) values ('a hash', 'sealed', now(), now()) returning id`,
  );
  user = shopperId(rows[0]?.id ?? expect.fail('no user'));
});
afterEach(() => shop.close());

const eventsOf = async () => (await shop.store.read(`order-${anOrder}`)).events;
const signIn = () => createVisitorUsers(shop.db, shop.now).becomes(visitor, user);
const follow = async () => {
  shop.start(claimIt);
  await shop.caughtUp(claimIt);
};

test("an order that a visitor creates after signing in becomes the user's, once", async () => {
  await signIn();
  await shop.toOrder(create({ by: visitor }));
  const cause = await findEvent(shop, 'OrderCreated');
  await follow();
  await Promise.all(Array.from({ length: 20 }, () => claimIt.react(cause)));
  expect(await eventsOf()).toMatchObject([
    { type: 'OrderCreated' },
    {
      type: 'OrderClaimed',
      data: { from: visitor, by: user },
      metadata: { causationId: cause.metadata.eventId, actor: { kind: 'system', id: 'claim-orders' } },
    },
  ]);
});

test('an order that belongs to another user by then is left unchanged', async () => {
  await shop.toOrder(create({ by: visitor }));
  await claimOrder(shop, anOrder, { from: visitor, by: ravi }, metadata());
  await signIn();
  await follow();
  expect((await eventsOf()).at(-1)).toMatchObject({ type: 'OrderClaimed', data: { by: ravi } });
  expect(await shop.db.selectFrom('postponed_reactions').selectAll().execute()).toEqual([]);
});

test.each([
  ['a visitor who has not signed in', () => visitor],
  ['a user', () => user],
  ['a shopper without any session', () => meera],
])('an order of %s keeps its owner', async (_, by) => {
  await shop.toOrder(create({ by: by() }));
  await follow();
  expect(await eventsOf()).toHaveLength(1);
  expect(await shop.db.selectFrom('postponed_reactions').selectAll().execute()).toEqual([]);
});
