import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { LogPosition } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { returnPolicy } from '#domain/order/rules.ts';
import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { change } from '../cart/testing/shopping.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { admin, orderEvents, ordering, signedInAs, type OrderingBrowser } from './testing/ordering.ts';

const shop = await openShopForFile({ people: { admin }, projecting: true });
await change([shop], oudSaffronMajlis, add());
let at: OrderingBrowser;
let staff: OrderingBrowser;
let id: string;
let before: LogPosition;

/** Moves the shop's clock only; timers run as usual. */
const at14h = (day: string): void => void vi.setSystemTime(new Date(`${day}T08:30:00.000Z`));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  at14h('2026-12-01');
  staff = await signedInAs(shop, admin);
  at = ordering(shop);
  id = (await at.buy())._id;
  before = await shop.store.head(['order']);
});
afterEach(() => void vi.useRealTimers());

const happened = async () => (await orderEvents(shop, before)).map(({ type }) => type);
const moveTo = async (...statuses: readonly string[]): Promise<void> => {
  for (const status of statuses) expect((await staff.move(id, status)).status).toBe(200);
};

describe('the staff', () => {
  test("change an order's status step by step, with notes for its history", async () => {
    expect(await staff.move(id, 'confirmed')).toMatchObject({ status: 200, order: { _id: id, status: 'confirmed' } });
    expect(await staff.move(id, 'shipped', ' With the evening post ')).toMatchObject({ status: 200, order: { status: 'shipped' } });
    const { order } = await staff.move(id, 'delivered');
    expect(order.history).toMatchObject([
      { status: 'created' },
      { status: 'pending' },
      { status: 'confirmed' },
      { status: 'shipped', note: 'With the evening post' },
      { status: 'delivered' },
    ]);
    expect({ ...(await at.order(id)).order, mailProblem: null }).toEqual(order);
    expect(await happened()).toEqual(['OrderConfirmed', 'OrderShipped', 'OrderDelivered']);
    const [confirmed] = await orderEvents(shop, before);
    expect(confirmed?.metadata.actor.kind).toBe('admin');
    expect(decodeURIComponent(staff.cookies.get('pos') ?? '')).toContain('order.');
  });

  test('get an error for a wrong status or note', async () => {
    const wrong = (field: string) => ({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    const send = (body: object) => staff.send('PUT', `/api/admin/order/${id}/status`, { body });
    for (const status of ['paid', 'Confirmed', undefined, { $ne: '' }]) expect(await send({ status })).toMatchObject(wrong('status'));
    for (const note of ['x'.repeat(501), 7, 'a\u0000']) expect(await send({ status: 'confirmed', note })).toMatchObject(wrong('note'));
    expect(await happened()).toEqual([]);
  });

  test('who change an order from a stale page get its status and who changed it', async () => {
    await moveTo('confirmed');
    const refused = await staff.move(id, 'confirmed');
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'illegal_transition',
        message: expect.stringMatching(/^The order is confirmed and cannot become confirmed\. .+ changed it last\.$/),
        current: { _id: id, status: 'confirmed' },
        // Each poll of the test moves the clock on by its interval.
        changedBy: { kind: 'admin', name: expect.stringMatching(/./), at: expect.stringMatching(/^2026-12-01T08:30:0/) },
      },
    });
    expect(JSON.stringify(refused.body)).not.toContain('A former admin');
  });

  test('are told if the shopper changed it last', async () => {
    await at.cancel(id);
    expect(await staff.move(id, 'confirmed')).toMatchObject({
      status: 409,
      body: {
        message: 'The order is cancelled and cannot become confirmed. The shopper changed it last.',
        current: { status: 'cancelled' },
        changedBy: { kind: 'visitor', name: 'The shopper' },
      },
    });
  });

  test('can cancel the order of an erased shopper, without a note, and send it no further', async () => {
    const history = async () => (await shop.store.read<OrderEvent>(`order-${id}`)).events;
    const [created = expect.fail('no order')] = await history();
    const shopper = 'shopper' in created.data ? created.data.shopper : '';
    await shop.pool.query(`update shop.subject_keys set key = null, wrapped_by = null, erased_at = now() where subject = $1`, [shopper]);
    // A process may use a cached encryption key for half a second.
    const isErased = async () => JSON.stringify((await history()).map(({ data }) => data)).includes('"city":"erased"');
    await expect.poll(isErased).toBe(true);
    const refused = (message: RegExp) => ({ status: 409, body: { code: 'shopper_erased', message: expect.stringMatching(message) } });
    expect(await staff.move(id, 'confirmed')).toMatchObject(refused(/Please cancel it/));
    expect(await staff.move(id, 'cancelled', 'Sorry')).toMatchObject(refused(/leave out the note/));
    await moveTo('cancelled');
  });
});

describe('the shopper', () => {
  test.each([[[]], [['confirmed']]])('cancels an order that is not shipped (%j)', async (moves) => {
    await moveTo(...moves);
    expect(await at.cancel(id, { reason: 'Ordered by mistake' })).toMatchObject({
      status: 200,
      order: { status: 'cancelled', history: expect.arrayContaining([expect.objectContaining({ note: 'Ordered by mistake' })]) },
    });
    expect(await at.cancel(id)).toMatchObject({ status: 200, order: { status: 'cancelled' } });
    expect(await happened()).toEqual([...moves.map(() => 'OrderConfirmed'), 'OrderCancelled']);
  });

  test('returns a delivered order, until the end of the fourteenth day', async () => {
    await moveTo('confirmed', 'shipped', 'delivered');
    vi.setSystemTime(new Date('2026-12-15T18:29:59.999Z'));
    expect(await at.giveBack(id)).toMatchObject({ status: 200, order: { status: 'delivered', return: { status: 'requested' } } });
    expect(await happened()).toEqual(['OrderConfirmed', 'OrderShipped', 'OrderDelivered', 'ReturnRequested']);
  });

  test('is refused a return on the fifteenth day, with the text of the policy', async () => {
    await moveTo('confirmed', 'shipped', 'delivered');
    vi.setSystemTime(new Date('2026-12-15T18:30:00.000Z'));
    const refused = { status: 409, body: { code: 'return_too_late', message: expect.stringContaining(returnPolicy.unopened) } };
    expect(await at.giveBack(id)).toMatchObject(refused);
  });

  test('gets an error for a return without a reason, or without saying whether it was opened', async () => {
    await moveTo('confirmed', 'shipped', 'delivered');
    const wrong = (field: string) => ({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    for (const reason of [undefined, '  ', '\u200b\u202e', 'x'.repeat(501)])
      expect(await at.giveBack(id, { reason, opened: false })).toMatchObject(wrong('reason'));
    for (const opened of [undefined, 'false', 0])
      expect(await at.giveBack(id, { reason: 'Not for me', opened })).toMatchObject(wrong('opened'));
  });

  test('cannot set an order to paid or delivered', async () => {
    for (const status of ['confirmed', 'delivered', 'paid']) expect((await at.move(id, status)).status).toBe(401);
    await at.place(id, { method: 'COD', status: 'paid', paid: true });
    expect((await at.order(id)).order).toMatchObject({ status: 'pending', paymentMethod: 'COD' });
    expect(await happened()).toEqual([]);
  });
});
