import { beforeEach, describe, expect, test } from 'vitest';

import { cartStream } from '#domain/cart/cart.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { shopperId, type OrderId } from '#domain/shared/ids.ts';
import type { OrderView } from '#domain/order/view.ts';
import { itemAdded } from '#domain/testing/carts.ts';
import { place } from '#domain/testing/orders.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { browser, withCookies, type Browser } from '../accounts/testing/browser.ts';
import { alice, logIn, signUp } from '../accounts/testing/people.ts';
import { cartEvents, change, shopping } from '../cart/testing/shopping.ts';
import { openTwoShops } from '../cart/testing/two-shops.ts';
import { startEventStoreDbDouble } from '../event-store/eventstoredb/testing/eventstoredb-double.ts';
import { command } from '../event-store/testing/writing.ts';
import { mailedCode } from '../testing/mailed-code.ts';
import { openShopForTest, openTestShop, type TestShop } from '../testing/test-shop.ts';
import { createOrderIds } from './order-ids.ts';
import { checkOutCart, createNextOrder, placedBy, remember, toOrder, type Ordered } from './testing/placing.ts';
import { createVisitorUsers } from './visitor-users.ts';

const { shop, other } = await openTwoShops();

const mailsOf = (place: TestShop) => ({ codeFor: (email: string) => mailedCode(place, email) });
let people = 0;
const somebody = () => ({ ...alice, email: `shopper-${++people}@example.com` });

const userWithAccount = async (place = shop) => {
  const who = somebody();
  return { who, id: await signUp(mailsOf(place), browser(place.url), who) };
};

/** Opens a browser that is not signed in, and returns its visitor id. */
const newVisitor = async (place = shop): Promise<{ at: Browser; visitor: string }> => {
  const at = shopping(place);
  const before = await place.store.head(['cart']);
  await at.add({ _id: oudSaffronMajlis });
  const [added] = await cartEvents(place, before);
  return { at, visitor: (added?.stream ?? '').slice('cart-'.length) };
};

const sameCookies = (at: Browser, place: TestShop): Browser => withCookies(browser(place.url), at.cookies);

const ordersOf = async (at: Browser) => {
  const { status, body } = await at.get('/api/order/get-AllOrders');
  return { status, orders: status === 200 ? (body as { orders: OrderView[] }).orders : [] };
};
const eventsOf = async (id: OrderId, place = shop) => (await place.store.read<OrderEvent>(`order-${id}`)).events;

/** Both order the next version of the visitor's cart: `ordered` places the order, `checkedOut` only checks out. */
const ordered = async (who: string, place = shop) => placedBy(place, who, {}, await createNextOrder(place, who));
const checkedOut = async (who: string, place = shop) => checkOutCart(place, who, {}, await createNextOrder(place, who));

let guest: Browser;
let visitor: string;
let placed: Ordered;
beforeEach(async () => {
  ({ at: guest, visitor } = await newVisitor());
  placed = await ordered(visitor);
  remember(guest, placed);
});

describe("at sign-in a visitor's orders become the user's and are listed at once", () => {
  test('with a password', async () => {
    const { who, id } = await userWithAccount();
    expect((await logIn(guest, who)).status).toBe(200);
    expect(await ordersOf(guest)).toEqual({ status: 200, orders: [placed.view] });
    expect((await eventsOf(placed.id)).at(-1)).toMatchObject({
      type: 'OrderClaimed',
      data: { from: visitor, by: id },
      metadata: { actor: { kind: 'user', id } },
    });
  });

  test('including checkouts that the user can then place', async () => {
    const draft = await checkedOut(visitor);
    remember(guest, draft);
    const { who, id } = await userWithAccount();
    await logIn(guest, who);
    const now = await toOrder(shop, draft.id, place({ by: shopperId(id), now: shop.now() }));
    remember(guest, now);
    expect((await ordersOf(guest)).orders).toEqual([now.view, placed.view]);
  });

  test('from the first version of the cart to the last, beyond the first fifty', async () => {
    const [stream, idOf] = [cartStream(visitor), await createOrderIds(shop.db)];
    const { head } = await shop.store.read(stream);
    // The sign-in closes the cart, which makes version 100.
    const added = Array.from({ length: 99 - head.revision }, () => itemAdded());
    await shop.store.append(stream, head, added, command());
    const ids = [0, 49, 50, 99, 100].map((revision) => idOf(shopperId(visitor), revision));
    for (const id of ids) await placedBy(shop, visitor, {}, id);
    await logIn(guest, (await userWithAccount()).who);
    for (const id of ids) expect((await eventsOf(id)).at(-1)?.type).toBe('OrderClaimed');
  });

  test('once, however often the sign-in is repeated, even concurrently at two instances', async () => {
    const { who } = await userWithAccount();
    const replays = Array.from({ length: 8 }, (_, index) => sameCookies(guest, index % 2 ? shop : other));
    const seen = await Promise.all(replays.map(async (at) => (await logIn(at, who)).status === 200 && ordersOf(at)));
    expect(seen).toEqual(replays.map(() => ({ status: 200, orders: [placed.view] })));
    expect((await eventsOf(placed.id)).filter(({ type }) => type === 'OrderClaimed')).toHaveLength(1);
  });

  test("even if a concurrent sign-in of the browser has already ended the visitor's session", async () => {
    const { who } = await userWithAccount();
    const late = sameCookies(guest, other);
    await logIn(guest, who);
    late.cookies.delete('pos');
    await shop.pool.query('delete from shop.sessions where visitor_id = $1', [visitor]);
    await logIn(late, who);
    expect(late.cookies.get('pos')).toContain('order.');
    expect((await ordersOf(late)).orders).toEqual([placed.view]);
  });

  test('and stay with the first user the visitor signed in as', async () => {
    const [first, second] = [await userWithAccount(), await userWithAccount()];
    await createVisitorUsers(shop.db, shop.now).becomes(visitor, first.id);
    await logIn(guest, second.who);
    expect((await ordersOf(guest)).orders).toEqual([]);
    expect((await eventsOf(placed.id)).at(-1)).toMatchObject({ type: 'OrderClaimed', data: { by: first.id } });
  });
});

test('other visitors, and the former visitor session, see none of them', async () => {
  const before = new Map(guest.cookies);
  await signUp(mailsOf(shop), guest, somebody());
  const { at: stranger } = await newVisitor();
  expect((await ordersOf(stranger)).status).toBe(401);
  await signUp(mailsOf(shop), stranger, somebody());
  expect(await ordersOf(stranger)).toEqual({ status: 200, orders: [] });
  const replayed = withCookies(browser(shop.url), before);
  expect((await ordersOf(replayed)).status).toBe(401);
});

test('while the read models are behind, the orders become the user’s at once anyway', async () => {
  const projecting = await openTestShop({ projecting: true });
  await change([projecting], oudSaffronMajlis, add());
  const { who, id } = await userWithAccount(projecting);
  const { at, visitor: hasty } = await newVisitor(projecting);
  await projecting.close();

  const behind = await openShopForTest({ databaseUrl: projecting.databaseUrl });
  const [draft, late, somebodyElses] = [await checkedOut(hasty, behind), await ordered(hasty, behind), await placedBy(behind, 'somebody')];
  expect((await logIn(sameCookies(at, behind), who)).status).toBe(200);
  const types = async (order: Ordered) => (await eventsOf(order.id, behind)).map(({ type }) => type);
  expect(await types(draft)).toEqual(['OrderCreated', 'OrderClaimed']);
  expect(await types(late)).toEqual(['OrderCreated', 'OrderPlaced', 'OrderClaimed']);
  expect(await types(somebodyElses)).toEqual(['OrderCreated', 'OrderPlaced']);
  expect(await createVisitorUsers(behind.db, behind.now).unclaimedOf(shopperId(id))).toEqual([]);
});

test('a visitor with a checkout that was cut in the event store can sign in, and the other orders become the user’s', async () => {
  const server = await startEventStoreDbDouble();
  const cut = await openTestShop({ eventStoreUrl: server.connectionString, projecting: true });
  await change([cut], oudSaffronMajlis, add());
  const { who } = await userWithAccount(cut);
  const { at, visitor: shopper } = await newVisitor(cut);
  const [gone, kept] = [await checkedOut(shopper, cut), await ordered(shopper, cut)];
  const prefix = new URL(cut.databaseUrl).pathname.slice(1).replaceAll('_', '-');
  server.truncate(`${prefix}-order-${gone.id}`, 100);
  expect((await logIn(at, who)).status).toBe(200);
  expect((await eventsOf(kept.id, cut)).at(-1)?.type).toBe('OrderClaimed');
  await cut.close();
  server.close();
});
