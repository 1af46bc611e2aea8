import { nameTable } from '#projections/engine/table-set.ts';
import { myOrders } from '#projections/orders/my-orders.ts';
import { ordersDesk } from '#projections/orders/orders-desk.ts';
import { StreamIncomplete } from '#domain/event-store.ts';
import { randomInt, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { payment, paymentStream } from '#domain/payment/payment.ts';
import { drawOrderNumber, orderId, shopperId } from '#domain/shared/ids.ts';
import { create, home, moveTo, place } from '#domain/testing/orders.ts';
import { capture } from '#domain/testing/payments.ts';

import { browser } from '../../accounts/testing/browser.ts';
import { bySystem } from '../../orders/order-payment.ts';
import { auditor, signedInAs } from '../../orders/testing/ordering.ts';
import { placedBy, toOrder, type Ordered } from '../../orders/testing/placing.ts';
import { isLogInPostgres, openShopForFile } from '../../testing/test-shop.ts';
import type { OrderVerdict } from './order-verdict.ts';
import { createSavedHeads } from '../saved-heads.ts';

let placed: Ordered;
let stream: `order-${string}`;

const shop = await openShopForFile({ people: { auditor }, projecting: true, reacting: true });
const books = await signedInAs(shop, auditor);
const shown = async ({ position }: Ordered): Promise<void> => {
  for (const model of ['my-orders', 'orders-desk']) expect(await shop.progress.waitFor(model, position, 60_000)).toBe('fresh');
};
beforeEach(async () => {
  placed = await placedBy(shop, 'meera');
  stream = `order-${placed.id}`;
  const moved = await toOrder(shop, placed.id, moveTo('confirmed', { note: 'By telephone' }), moveTo('shipped'));
  await shown(moved);
});

type Mail = { readonly about: string; readonly state: string; readonly mailbox: string | null };
const mails = async () => ((await books.get(`/api/audit/orders/${placed.id}`)).body as { mails: Mail[] }).mails;
const areSent = async (): Promise<void> => {
  const about = ['OrderPlaced', 'OrderConfirmed', 'OrderShipped'];
  await expect.poll(async () => (await mails()).map((mail) => mail.about)).toEqual(expect.arrayContaining(about));
  await expect.poll(async () => (await mails()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
};

test('an order whose stream was cut in the event store is reported with the missing events', async () => {
  // The first mail has a receipt, for which the stream is read too.
  await areSent();
  const cut = new StreamIncomplete(stream, 'truncated', 0, 1);
  vi.spyOn(shop.store, 'storedStream').mockRejectedValueOnce(cut);
  expect(await verdict()).toMatchObject({ stream, chain: 'broken', brokenAt: 0, fault: 'missing', cut: cut.message });
});

/** These tests tamper in SQL. */
const onPostgres = describe.runIf(isLogInPostgres);
const sql = (text: string, ...values: readonly unknown[]) => shop.pool.query(text, [...values]);
const verdict = async (): Promise<OrderVerdict> => (await books.get(`/api/audit/orders/${placed.id}/verify`)).body as OrderVerdict;
const saveHead = async () => {
  const { head } = await shop.store.read(stream);
  await createSavedHeads(shop.db, () => new Date()).save([[{ stream, ...head }]]);
};

type Part = { events: object[]; states: object[]; next: number | null };

describe('an order', () => {
  test.each(['id', 'number'])('is found by its %s, with its events and the state after each', async (by) => {
    const name = by === 'id' ? placed.id : (placed.view.orderNumber ?? '').toLowerCase();
    const { status, body } = await books.get(`/api/audit/orders/${name}`);
    expect(status).toBe(200);
    const types = ['OrderCreated', 'OrderPlaced', 'OrderConfirmed', 'OrderShipped'];
    expect(body).toMatchObject({
      stream,
      events: types.map((type, revision) => ({ type, revision, metadata: { actor: { kind: 'system' } } })),
      states: ['created', 'pending', 'confirmed', 'shipped'].map((each) => ({ _id: placed.id, status: each })),
      cart: 'cart-meera',
    });
  });

  test('has in each state its payment at that event', async () => {
    const [id, by] = [orderId(randomUUID()), shopperId('noor')];
    await toOrder(shop, id, create({ by }), place({ by, number: drawOrderNumber(randomInt), method: 'Prepaid' }));
    await shop.execute(payment, paymentStream(id), capture(), bySystem(`captured-${id}`));
    await toOrder(shop, id, moveTo('confirmed'));
    const { states } = (await books.get(`/api/audit/orders/${id}`)).body as { states: { payment: { status: string } }[] };
    expect(states.map(({ payment: { status } }) => status)).toEqual(['none', 'due', 'paid']);
  });

  test('is shown in parts if it has many events, each state computed from all events before', async () => {
    const part = async (query: string) => (await books.get(`/api/audit/orders/${placed.id}${query}`)).body as Part;
    const whole = await part('');
    expect(whole).toMatchObject({ count: 4, next: null });
    const [first, second] = [await part('?limit=3'), await part('?after=2&limit=3')];
    expect([first.next, second.next]).toEqual([2, null]);
    expect([...first.events, ...second.events]).toEqual(whole.events);
    expect([...first.states, ...second.states]).toEqual(whole.states);
    expect(second).toMatchObject({ count: 4, cart: 'cart-meera' });
    for (const query of ['?after=-1', '?after=x', '?limit=0'])
      expect((await books.get(`/api/audit/orders/${placed.id}${query}`)).status).toBe(400);
  });

  test('lists the mails sent for it', async () => {
    await areSent();
    for (const { mailbox } of await mails()) {
      const read = await browser(shop.url).get(mailbox ?? 'nowhere', { headers: { accept: 'text/html' } });
      expect(read.status).toBe(200);
      expect(String(read.body)).toContain(placed.view.orderNumber);
    }
  });

  test('is found by number, id and e-mail address', async () => {
    const found = async (q: string) =>
      ((await books.get(`/api/audit/orders?q=${encodeURIComponent(q)}`)).body as { orders: { _id: string }[] }).orders.map(
        ({ _id }) => _id,
      );
    expect(await found(placed.view.orderNumber ?? '')).toEqual([placed.id]);
    expect(await found(placed.id)).toEqual([placed.id]);
    expect(await found(home.email)).toContain(placed.id);
    expect(await found('nobody@example.com')).toEqual([]);
    expect((await books.get('/api/audit/orders?q=')).status).toBe(400);
  });

  test('can be downloaded as stored, one event a line', async () => {
    const { body } = await books.get(`/api/audit/orders/${placed.id}`, { headers: { Accept: 'application/x-ndjson' } });
    const lines = String(body).trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ stream, revision: 3, type: 'OrderShipped' });
    expect(String(body)).not.toContain(home.email);
    const noted = () =>
      sql(`select count(*)::integer as times from shop.security_log where kind = 'downloaded' and detail->>'file' = $1`, stream);
    await expect.poll(async () => (await noted()).rows).toEqual([{ times: 1 }]);
  });
});

onPostgres('an order that was tampered with in the store names', () => {
  const broken = async (brokenAt: number, fault: string) => expect(await verdict()).toMatchObject({ chain: 'broken', brokenAt, fault });
  // A read model stops if the last event that it followed is gone.
  beforeEach(async () => shown(await placedBy(shop, 'noor')));

  test('reports the event of which a byte was changed', async () => {
    await sql(`update log.events set data = replace(data::text, '"COD"', '"COd"')::json where stream = $1 and revision = 1`, stream);
    await broken(1, 'altered');
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
    const { hashes } = await verdict();
    expect(hashes).toEqual({ stored: hash, recomputed: hash });
    expect(hashes?.stored).not.toBe(hashes?.recomputed);
  });

  test('detects a removed stream by a saved head', async () => {
    await saveHead();
    await sql('delete from log.events where stream = $1', stream);
    await broken(0, 'missing');
  });
});

describe('an order whose rows were changed', () => {
  test('is reported with read model and field, and with the values of log and row', async () => {
    await sql(
      `update ${nameTable(myOrders, 'my_orders')} set state = replace(state, '"giftWrap":false', '"giftWrap":true') where order_id = $1`,
      placed.id,
    );
    await sql(`update ${nameTable(ordersDesk, 'orders_desk')} set status = 'delivered' where order_id = $1`, placed.id);
    const { chain, readModel, differences } = await verdict();
    expect({ chain, readModel, differences }).toEqual({
      chain: 'intact',
      readModel: 'differs',
      differences: [
        { model: 'my-orders', field: 'my_orders.state.giftWrap', inLog: false, inTable: true },
        { model: 'orders-desk', field: 'orders_desk.status', inLog: 'shipped', inTable: 'delivered' },
      ],
    });
  });

  test('is reported as different in every field if its row is missing', async () => {
    await sql(`delete from ${nameTable(myOrders, 'my_orders')} where order_id = $1`, placed.id);
    expect((await verdict()).differences).toContainEqual(
      expect.objectContaining({ model: 'my-orders', field: 'my_orders.shopper_id', inLog: 'meera' }),
    );
  });
});

describe('auditors', () => {
  test.each(['/api/cart/add-to-cart', '/api/order/create-order'])('cannot write: POST %s is refused', async (path) =>
    expect((await books.post(path, {})).status).toBe(403),
  );
});

// This test is the last, because it takes the position of the shop's next event.
onPostgres('an event not written by the shop', () => {
  test('is reported, and shown as unreadable', async () => {
    // The reactions must wait, because they would take the position.
    await sql(
      `begin;
       lock table log.events in share row exclusive mode;
       insert into log.events (position, stream, revision, event_id, type, data, metadata)
       select max(position) + 1, '${stream}', 4, '${randomUUID()}', 'OrderDelivered',
         '{"shopper":"meera","note":"","deliveredAt":"2026-11-20T09:00:00.000Z"}', '{"version":1}'
       from log.events;
       commit`,
    );
    expect(await verdict()).toMatchObject({ chain: 'broken', brokenAt: 4, fault: 'foreign' });
    const { body } = await books.get(`/api/audit/orders/${placed.id}`);
    const unreadable = 'its metadata were not written by the shop';
    expect((body as { events: object[] }).events[4]).toMatchObject({ type: 'OrderDelivered', metadata: null, unreadable });
  });
});
