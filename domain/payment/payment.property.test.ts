import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { order } from '../order/order.ts';
import type { ExistingOrder } from '../order/rules.ts';
import { computeBill } from '../order/totals.ts';
import { paise } from '../shared/money.ts';
import { cancel, created, orderAfter, placed } from '../testing/orders.ts';
import { paidAt, price, refund } from '../testing/payments.ts';
import type { PaymentEvent } from './events.ts';
import { payment, type PaymentCommand } from './payment.ts';
import { completing, isPaidFor, NO_PAYMENT, owedFor, receivedAmount, refundable, type Bill, type Payment } from './rules.ts';

type Step =
  | { readonly do: 'refund elsewhere'; readonly payment: string; readonly amount: number }
  | { readonly do: 'cancel the order' }
  | { readonly do: 'settle'; readonly refund: number }
  | { readonly do: 'refuse'; readonly refund: number }
  | { readonly do: 'command'; readonly command: (bill: Bill) => PaymentCommand };

const amount = fc.oneof(fc.constantFrom(price, paise(price + 1), paise(price - 1)), fc.integer({ min: 1, max: 3 * price }).map(paise));
const gatewayId = fc.constantFrom('pay_1', 'pay_2', 'pay_3');
const now = paidAt;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ do: 'cancel the order' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund elsewhere' as const), payment: gatewayId, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('settle' as const, 'refuse' as const, 'refuse' as const), refund: fc.nat(9) }) },
  {
    weight: 6,
    arbitrary: fc
      .oneof(
        fc.record({ payment: gatewayId, amount }).map((of) => (bill: Bill) => ({
          type: 'CapturePayment' as const,
          bill,
          method: 'upi',
          at: now,
          now,
          ...of,
        })),
        amount.map((of) => (bill: Bill) => refund({ bill, amount: of })),
        gatewayId.map((id) => () => ({ type: 'FailPayment' as const, payment: id, why: 'Declined', at: now })),
        fc.constant((bill: Bill) => ({ type: 'RefundExcess' as const, bill, now })),
      )
      .map((command) => ({ do: 'command' as const, command })),
  },
);

const amounts = (events: readonly PaymentEvent[], type: 'PaymentCaptured' | 'RefundRequested'): number =>
  events.reduce((total, event) => total + (event.type === type ? event.data.amount : 0), 0);

/** The gateway refunds no more of a payment than came. */
const leftAtGateway = ({ captures, refunds }: Payment, id: string): number => {
  const back = refunds.filter((each) => each.payment === id && each.status === 'settled');
  return back.reduce((left, each) => left - each.amount, captures.find((each) => each.payment === id)?.amount ?? 0);
};

type History = {
  readonly sold: ExistingOrder;
  readonly state: Payment;
  readonly events: PaymentEvent[];
  /**
   * The amount that the shop may keep, computed without the kinds of refunds; undefined after a refund that had been given up was settled,
   * or one was made at the gateway itself.
   */
  readonly worth: number | undefined;
};

const after = (steps: readonly Step[]): History => {
  let sold = orderAfter(created(), placed('Prepaid'));
  let state = NO_PAYMENT;
  let [wasPaid, cameLate] = [false, false];
  const events: PaymentEvent[] = [];
  /** Maps each refund by the desk to the part of it that was due for the order. */
  const conceded = new Map<string, number>();
  const concessions = (): number =>
    state.refunds.reduce((sum, { id, status }) => sum + (status === 'refused' ? 0 : (conceded.get(id) ?? 0)), 0);
  const worth = (): number => {
    if (owedFor(computeBill(sold)) === 0) return 0;
    return wasPaid ? Math.max(0, price - concessions()) : refundable(state);
  };
  const run = (command: PaymentCommand): void => {
    const decision = payment.decide(state, command);
    if (!decision.ok) return;
    let excess = wasPaid ? refundable(state) - worth() : refundable(state);
    for (const { type, data } of command.type === 'RequestRefund' ? decision.events : []) {
      if (type !== 'RefundRequested') continue;
      conceded.set(data.refund, Math.max(0, data.amount - excess));
      excess = Math.max(0, excess - data.amount);
    }
    events.push(...decision.events);
    for (const event of decision.events) {
      state = payment.evolve(state, event);
      wasPaid ||= refundable(state) >= price;
    }
    expect(refundable(state)).toBeGreaterThanOrEqual(0);
  };
  for (const each of steps) {
    if (each.do === 'refund elsewhere') {
      const left = leftAtGateway(state, each.payment);
      cameLate ||= left > 0;
      const told = { payment: each.payment, refund: `rfnd_${events.length}`, reference: '', amount: paise(Math.min(each.amount, left)) };
      run({ type: 'ReportRefund', bill: computeBill(sold), now, ...told });
    } else if (each.do === 'cancel the order') {
      const decision = order.decide(sold, cancel());
      if (decision.ok) sold = decision.events.reduce(order.evolve, sold) as ExistingOrder;
      run({ type: 'RefundExcess', bill: computeBill(sold), now });
    } else if (each.do === 'command') run(each.command(computeBill(sold)));
    else {
      const { id = '', status, payment: from = '', amount = 0 } = state.refunds[each.refund] ?? {};
      const isSettled = each.do === 'settle' && amount <= leftAtGateway(state, from);
      cameLate ||= isSettled && status === 'refused';
      run(isSettled ? { type: 'SettleRefund', refund: id, now } : { type: 'RefuseRefund', refund: id, why: 'No', now });
    }
  }
  return { sold, state, events, worth: cameLate ? undefined : worth() };
};

test('every rupee has its event, refunds never exceed the payments, and each excess has a refund or a mismatch', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { sold, state, events } = after(steps);
      expect(receivedAmount(state)).toBe(amounts(events, 'PaymentCaptured'));
      expect(state.refunds.reduce((total, each) => total + each.amount, 0)).toBe(amounts(events, 'RefundRequested'));
      for (const { payment: id, amount: came } of state.captures) {
        const ofPayment = state.refunds.filter((each) => each.payment === id);
        const isElsewhere = ofPayment.some((each) => each.isElsewhere);
        const back = ofPayment.filter(({ status }) => status === 'settled' || (status === 'requested' && !isElsewhere));
        expect(back.reduce((total, each) => total + each.amount, 0)).toBeLessThanOrEqual(came);
      }
      const decided = payment.decide(state, { type: 'RefundExcess', bill: computeBill(sold), now });
      const again = decided.ok ? decided.events.length : -1;
      // An excess can remain only where the gateway has refused its refund for good.
      if (again !== 0) expect(state.mismatches.some(({ kind }) => kind === 'refund_refused')).toBe(true);
      if (again === 0 && owedFor(computeBill(sold)) === 0) expect(refundable(state)).toBe(0);
      return true;
    }),
    { numRuns: 300 },
  );
});

test('payments less refunds are what the order is worth to the shop, and the goods of a paid order may be shipped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { sold, state, worth } = after(steps);
      const bill = computeBill(sold);
      const decision = payment.decide(state, { type: 'RefundExcess', bill, now });
      const end = decision.ok ? decision.events.reduce(payment.evolve, state) : state;
      if (worth === undefined) return;
      expect(refundable(end)).toBe(worth);
      if (!bill.isCancelled && completing(end)) expect(isPaidFor(end)).toBe(worth > 0);
    }),
    { numRuns: 300 },
  );
});

test('refunds have distinct ids', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ids = after(steps).state.refunds.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('whatever was refunded at the gateway itself, in the end all of a cancelled order went back, or the desk is told of what did not', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let { state } = after([...steps, { do: 'cancel the order' }]);
      const run = (command: PaymentCommand): void => {
        const decision = payment.decide(state, command);
        if (decision.ok) state = decision.events.reduce(payment.evolve, state);
      };
      for (const { id: refund, payment: from, amount } of state.refunds.filter(({ status }) => status === 'requested'))
        if (amount <= leftAtGateway(state, from)) run({ type: 'SettleRefund', refund, now });
        else for (let time = 0; time < 4; time++) run({ type: 'RefuseRefund', refund, why: 'No', now });
      const left = state.captures.reduce((sum, { payment: id }) => sum + leftAtGateway(state, id), 0);
      expect(refundable(state)).toBe(left);
      if (left > 0) expect(state.mismatches.some(({ kind }) => kind === 'refund_refused')).toBe(true);
    }),
    { numRuns: 300 },
  );
});
