import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { paise, type Paise } from '#domain/shared/money.ts';

import { GatewayRefused, GatewayUnavailable, type Gateway, type GatewayLink, type LinkOrder } from '../gateway.ts';
import type { TestGateway } from '../test-gateway.ts';

const FAULTS = ['no connection', 'no answer', 'an answer without end', 'redirect', '429', '500', '502 without JSON'] as const;
export type Fault = (typeof FAULTS)[number];

export type GatewayHarness = {
  readonly gateway: Gateway;
  /** This is the same gateway with a short timeout. */
  readonly impatient: Gateway;
  /** The gateway behind it, on which tests pay and decide refunds. */
  readonly behind: TestGateway;
  /** Makes all later calls fail in this way, or succeed again. */
  setFault(fault: Fault | undefined): void;
  /** Advances the clock of the circuit breaker. */
  passTime(ms: number): void;
  close(): Promise<void>;
};

export const AMOUNT = paise(4_128_62);
export const newOrder = (more: Partial<LinkOrder> = {}): LinkOrder => ({
  reference: randomUUID(),
  number: 'RH-4WPDX9CT',
  amount: AMOUNT,
  returnTo: 'http://127.0.0.1:3000/order-confirmed/1',
  ...more,
});

/** Tests what the shop relies on at every gateway. */
export const describeGateway = (name: string, open: () => Promise<GatewayHarness>): void => {
  describe(name, () => {
    let harness: GatewayHarness;
    let gateway: Gateway;
    let behind: TestGateway;

    beforeAll(async () => {
      harness = await open();
      ({ gateway, behind } = harness);
    });
    afterAll(() => harness.close());
    afterEach(() => {
      harness.setFault(undefined);
      harness.passTime(10_000);
    });

    const state = async (id: string): Promise<GatewayLink | undefined> => gateway.link(id);
    const paid = async (amount?: Paise): Promise<{ link: GatewayLink; payment: string }> => {
      const { id } = await gateway.openLink(newOrder());
      await behind.pay(id, { amount });
      const link = await state(id);
      const payment = link?.payments[0]?.id;
      if (!link || payment === undefined) throw new Error('Nothing was paid');
      return { link, payment };
    };

    describe('links', () => {
      test('an opened link has its order, amount and page, and no payment', async () => {
        const order = newOrder();
        const link = await gateway.openLink(order);
        expect(link).toEqual({
          id: expect.stringMatching(/^plink_\w{14}$/),
          url: expect.stringMatching(/^http/),
          reference: order.reference,
          amount: AMOUNT,
          status: 'open',
          payments: [],
        });
        expect(await state(link.id)).toEqual(link);
      });

      test('opening again returns the same link', async () => {
        const order = newOrder();
        const first = await gateway.openLink(order);
        expect(await gateway.openLink(order)).toEqual(first);
        expect((await gateway.openLink(newOrder())).id).not.toBe(first.id);
      });

      test('two concurrent calls get the same link', async () => {
        const order = newOrder();
        const [one, other] = await Promise.all([gateway.openLink(order), gateway.openLink(order)]);
        expect(one).toEqual(other);
      });

      test('an order gets a new link for another amount, or when its link is closed', async () => {
        const order = newOrder();
        const first = await gateway.openLink(order);
        const second = await gateway.openLink({ ...order, amount: paise(5_000_00) });
        expect(second.id).not.toBe(first.id);
        expect(second).toMatchObject({ reference: order.reference, amount: paise(5_000_00) });
        await gateway.closeLink(first.id);
        const third = await gateway.openLink(order);
        expect([first.id, second.id]).not.toContain(third.id);
        expect(third).toMatchObject({ reference: order.reference, amount: AMOUNT, status: 'open' });
        expect(await gateway.openLink(order)).toEqual(third);
      });

      test('an unknown link is not found, and closing it changes nothing', async () => {
        expect(await state('plink_00000000000000')).toBeUndefined();
        expect(await state('../payments')).toBeUndefined();
        await gateway.closeLink('plink_00000000000000');
      });
    });

    describe('payments', () => {
      test.each(['upi', 'card'] as const)('a payment by %s is listed with its amount and time', async (method) => {
        const { id } = await gateway.openLink(newOrder());
        const before = Date.now() - 1_000;
        await behind.pay(id, { method });
        const link = await state(id);
        expect(link).toMatchObject({
          status: 'paid',
          payments: [{ id: expect.stringMatching(/^pay_/), amount: AMOUNT, method, status: 'captured' }],
        });
        expect(Date.parse(link?.payments[0]?.at ?? '')).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
      });

      test('a failed payment leaves the link open', async () => {
        const order = newOrder();
        const { id } = await gateway.openLink(order);
        await behind.fail(id);
        expect(await state(id)).toMatchObject({ status: 'open', payments: [{ status: 'failed' }] });
        expect((await gateway.openLink(order)).id).toBe(id);
        await behind.pay(id);
        expect(await state(id)).toMatchObject({ status: 'paid', payments: [{ status: 'failed' }, { status: 'captured' }] });
      });

      test('a link that is paid twice has two payments', async () => {
        const { link } = await paid();
        await behind.pay(link.id, { method: 'card' });
        expect((await state(link.id))?.payments).toMatchObject([{ method: 'upi' }, { method: 'card' }]);
      });

      test('a payment of another amount is listed with that amount', async () => {
        expect((await paid(paise(1_00))).link).toMatchObject({ status: 'partly_paid', payments: [{ amount: paise(1_00) }] });
        expect((await paid(paise(9_999_99))).link).toMatchObject({ status: 'paid', payments: [{ amount: paise(9_999_99) }] });
      });

      test('a closed link can still be paid', async () => {
        const { id } = await gateway.openLink(newOrder());
        await gateway.closeLink(id);
        expect(await state(id)).toMatchObject({ status: 'cancelled', payments: [] });
        await gateway.closeLink(id);
        await behind.pay(id);
        expect(await state(id)).toMatchObject({ status: 'paid', payments: [{ amount: AMOUNT }] });
      });

      test('closing a paid link changes nothing', async () => {
        const { link } = await paid();
        await gateway.closeLink(link.id);
        expect(await state(link.id)).toEqual(link);
      });
    });

    describe('refunds', () => {
      test('a refund settles and is listed', async () => {
        const { payment } = await paid();
        const reference = randomUUID();
        const refund = await gateway.refund({ payment, amount: paise(100_50), reference });
        expect(refund).toEqual({ id: expect.stringMatching(/^rfnd_/), payment, amount: paise(100_50), status: 'settled', reference });
        expect(await gateway.refundsOf(payment)).toEqual([refund]);
        expect((await paid()).payment).not.toBe(payment);
      });

      test('a reference has one refund, however often it is requested', async () => {
        const { payment } = await paid();
        const asked = { payment, amount: paise(100_00), reference: randomUUID() };
        const first = await gateway.refund(asked);
        expect(await gateway.refund(asked)).toEqual(first);
        const at = { payment, amount: paise(50_00), reference: randomUUID() };
        const [one, other] = await Promise.all([gateway.refund(at), gateway.refund(at)]);
        expect(one).toEqual(other);
        expect(await gateway.refundsOf(payment)).toHaveLength(2);
      });

      test('a refund may come to all that was paid, but not to more', async () => {
        const { payment } = await paid();
        await gateway.refund({ payment, amount: paise(4_000_00), reference: randomUUID() });
        const rest = { payment, amount: paise(128_63), reference: randomUUID() };
        await expect(gateway.refund(rest)).rejects.toThrow(/greater than the refund payment amount/);
        await expect(gateway.refund(rest)).rejects.toBeInstanceOf(GatewayRefused);
        expect(await gateway.refund({ ...rest, amount: paise(128_62) })).toMatchObject({ status: 'settled' });
        expect(await gateway.refundsOf(payment)).toHaveLength(2);
      });

      test('a failed or unknown payment cannot be refunded', async () => {
        const { id } = await gateway.openLink(newOrder());
        await behind.fail(id);
        const payment = (await state(id))?.payments[0]?.id ?? '';
        await expect(gateway.refund({ payment, amount: AMOUNT, reference: randomUUID() })).rejects.toBeInstanceOf(GatewayRefused);
        for (const unknown of ['pay_00000000000000', '../payment_links'])
          await expect(gateway.refund({ payment: unknown, amount: AMOUNT, reference: randomUUID() })).rejects.toBeInstanceOf(
            GatewayRefused,
          );
        await expect(gateway.refundsOf('pay_00000000000000')).rejects.toBeInstanceOf(GatewayRefused);
      });

      test('a refused refund can be requested again', async () => {
        const { payment } = await paid();
        const asked = { payment, amount: AMOUNT, reference: randomUUID() };
        behind.refuseRefunds(1);
        await expect(gateway.refund(asked)).rejects.toBeInstanceOf(GatewayRefused);
        expect(await gateway.refund(asked)).toMatchObject({ status: 'settled' });
      });

      test('a refund may be pending and settled later', async () => {
        const { payment } = await paid();
        const asked = { payment, amount: AMOUNT, reference: randomUUID() };
        behind.holdRefunds();
        expect(await gateway.refund(asked)).toMatchObject({ status: 'pending' });
        expect(await gateway.refund(asked)).toMatchObject({ status: 'pending' });
        await behind.settleRefunds();
        expect(await gateway.refundsOf(payment)).toMatchObject([{ status: 'settled' }]);
      });

      test('a refund that is refused while pending is reported once, and then tried again', async () => {
        const { payment } = await paid();
        const asked = { payment, amount: AMOUNT, reference: randomUUID() };
        behind.holdRefunds();
        await gateway.refund(asked);
        await behind.settleRefunds('refused');
        expect(await gateway.refundsOf(payment)).toMatchObject([{ status: 'refused', reference: asked.reference }]);
        const { id: refused, ...told } = await gateway.refund(asked);
        expect(told).toMatchObject({ status: 'refused', reference: asked.reference });
        const known = { ...asked, isKnown: (id: string) => id === refused };
        expect(await gateway.refund(known)).toMatchObject({ status: 'settled', reference: asked.reference });
        expect(await gateway.refund(known)).toMatchObject({ status: 'settled' });
        expect(await gateway.refundsOf(payment)).toHaveLength(2);
      });

      test('a refund that is refused, tried again and refused later is reported too', async () => {
        const { payment } = await paid();
        const asked = { payment, amount: AMOUNT, reference: randomUUID() };
        behind.refuseRefunds(1);
        await expect(gateway.refund(asked)).rejects.toBeInstanceOf(GatewayRefused);
        behind.holdRefunds();
        const { id } = await gateway.refund(asked);
        await behind.settleRefunds('refused');
        expect(await gateway.refund(asked)).toMatchObject({ id, status: 'refused' });
      });
    });

    describe('a gateway that does not answer', () => {
      test.each(FAULTS)('is reported as unavailable and works again afterwards: %s', async (fault) => {
        const order = newOrder();
        harness.setFault(fault);
        await expect(harness.impatient.openLink(order)).rejects.toBeInstanceOf(GatewayUnavailable);
        await expect(harness.impatient.refund({ payment: 'pay_00000000000000', amount: AMOUNT, reference: 'r' })).rejects.toBeInstanceOf(
          GatewayUnavailable,
        );
        harness.setFault(undefined);
        expect(await gateway.openLink(order)).toMatchObject({ status: 'open' });
      });

      test('is not called for ten seconds after five failures, and then once', async () => {
        harness.setFault('500');
        for (let failure = 1; failure <= 5; failure++) {
          expect(gateway.isAvailable()).toBe(true);
          await expect(state('plink_00000000000000')).rejects.toBeInstanceOf(GatewayUnavailable);
        }
        expect(gateway.isAvailable()).toBe(false);
        await expect(state('plink_00000000000000')).rejects.toThrow(/is not answering/);

        harness.passTime(10_000);
        expect(gateway.isAvailable()).toBe(true);
        await expect(state('plink_00000000000000')).rejects.toThrow(GatewayUnavailable);
        expect(gateway.isAvailable()).toBe(false);

        harness.passTime(10_000);
        harness.setFault(undefined);
        expect(await state('plink_00000000000000')).toBeUndefined();
        expect(gateway.isAvailable()).toBe(true);
      });

      test('counts a refusal as an answer', async () => {
        for (let refusal = 1; refusal <= 6; refusal++)
          await expect(gateway.refundsOf('pay_00000000000000')).rejects.toBeInstanceOf(GatewayRefused);
        expect(gateway.isAvailable()).toBe(true);
      });
    });
  });
};
