import { expect, test } from 'vitest';

import { cartStream } from '#domain/cart/cart.ts';
import { orderStream } from '#domain/order/order.ts';
import { viewOrder } from '#domain/order/view.ts';
import { paymentStream } from '#domain/payment/payment.ts';
import type { OrderId } from '#domain/shared/ids.ts';
import { paise } from '#domain/shared/money.ts';
import { instant } from '#domain/shared/time.ts';
import { anOrder, anotherOrder, evening, gulabLine, itemAdded, meera, oudLine } from '#domain/testing/carts.ts';
import { created, delivered, orderAfter, placed } from '#domain/testing/orders.ts';
import type { PaymentEvent } from '#domain/payment/events.ts';
import { captured, price, refundRequested, refundSettled } from '#domain/testing/payments.ts';

import { command } from '../../event-store/testing/writing.ts';
import { judged, type Evidence } from './judging.ts';
import { RecordedAnswers } from './recorded-answers.ts';
import { seededRandom } from './seeded-random.ts';
import { probeOthers } from './shopper.ts';
import { storeWith, type Appended } from './testing/store-with.ts';
import { lapsedInTime } from './verdicts.ts';

type Told = Partial<Evidence & RecordedAnswers>;

const ORDER = orderStream(anOrder);
const PAYMENT = paymentStream(anOrder);
/** All additions of a test have one request. */
const { correlationId: request } = command();
const view = viewOrder(anOrder, orderAfter(created(), placed()));
const bought = (method: 'COD' | 'Prepaid' = 'COD'): readonly Appended[] => [
  [cartStream(meera), itemAdded(oudLine(2)), itemAdded(gulabLine())],
  [ORDER, created(), placed(method)],
];
const figuresOf = (orders: number) => ({
  totalOrders: orders,
  totalSales: paise(orders * price),
  lastWeekOrders: orders,
  lastMonthSales: paise(orders * price),
});

/** Returns the invariants that this log violates, if shoppers were told of one placed order and of what `told` says. */
const broken = async (log: readonly Appended[], told: Told = {}): Promise<readonly string[]> => {
  const evidence: Evidence = {
    store: await storeWith(...log),
    now: evening,
    quietAt: evening,
    idOf: (shopper, revision) => (shopper === meera && revision === 1 ? anOrder : 'another') as OrderId,
    causes: [`order-placed:${anOrder}`],
    links: [],
    figures: figuresOf(1),
    differences: [],
    ...told,
  };
  const recorded: RecordedAnswers = {
    ...new RecordedAnswers(),
    placed: new Map([[anOrder, { order: view, shopper: 0 }]]),
    asked: new Set([anOrder]),
    moved: [{ id: anOrder, status: 'pending' }],
    ...told,
  };
  const { verdicts } = await judged(evidence, recorded);
  return verdicts.filter((verdict) => verdict.broken.length > 0).map(({ invariant }) => invariant);
};

const ANSWERED = /^every success that was answered/;
const ONE_ORDER = /^one order for each cart version checked out/;
const ONE_CONFIRMATION = /^one confirmation/;
const REPEATED = /^a request that came more than once/;
const FIGURES = /^the figures are what the orders come to/;

test.each<[string, readonly RegExp[], Told, (readonly Appended[])?]>([
  ['nothing when everything is correct', [], {}],
  ['a confirmed order that is not in the log', [ANSWERED], { placed: new Map([['gone', { order: view, shopper: 1 }]]) }],
  ['another total', [ANSWERED], { placed: new Map([[anOrder, { order: { ...view, total: view.total + 1 }, shopper: 0 }]]) }],
  ['a cart line that was never added', [ANSWERED], { additions: new Map([['gone', { isCovered: true, isAnswered: true }]]) }],
  ['a step that is not in the log', [/^every order step confirmed/], { moved: [{ id: anOrder, status: 'shipped' }] }],
  ['an order that nobody asked for', [ONE_ORDER], { asked: new Set() }],
  ['a request with two answers', [REPEATED], { differing: ['It was'] }],
  ['a request that was executed twice', [REPEATED], { additions: new Map([[request, { isCovered: true, isAnswered: true }]]) }],
  ['a second order of one cart version', [ONE_ORDER], {}, [[orderStream(anotherOrder), created()]]],
  [
    'two orders with one number',
    [ONE_ORDER, /^no two orders share a number/],
    { figures: figuresOf(2), causes: [anOrder, anotherOrder].map((id) => `order-placed:${id}`) },
    [[orderStream(anotherOrder), created(), placed()]],
  ],
  ['a missing confirmation', [ONE_CONFIRMATION], { causes: [] }],
  ['a confirmation of no order', [ONE_CONFIRMATION], { causes: [`order-placed:${anOrder}`, 'order-placed:none'] }],
  ['a mail that came twice', [/^no mail about an order/], { causes: [`order-placed:${anOrder}`, 'order-paid:1', 'order-paid:1'] }],
  ['an illegal event', [/^every chain is intact/], {}, [[ORDER, delivered(evening)]]],
  ['a figure that counts an order twice', [FIGURES], { figures: figuresOf(2) }],
  ['an order under way of an erased guest', [/^no order of an erased guest/], { erased: [{ order: anOrder, texts: [] }] }],
  ['a row that differs', [/^no event was applied twice or skipped/], { differences: ['It does'] }],
])('the drill reports %s', async (_, invariants, told, more = []) =>
  expect(await broken([...bought(), ...more], told)).toEqual(invariants.map((each) => expect.stringMatching(each))),
);

const MONEY = /^all money that the gateway took is booked/;
const REFUNDS = /^every refund is made at the gateway/;
const KEPT = /^the shop keeps what an order costs/;
const paidAtGateway = (id: string, refunds: readonly number[] = [], reference = 'ours') => ({
  id,
  amount: price,
  status: 'captured',
  refunds: refunds.map((amount) => ({ id: 'rfnd_1', reference, payment: id, amount: paise(amount), status: 'settled' })),
});
const goneElsewhere = (amount: number): readonly PaymentEvent[] => {
  const asked = refundRequested('desk', paise(amount), 'rfnd_1', '');
  const data = { ...asked.data, payment: 'pay_1', isElsewhere: true } as Extract<PaymentEvent, { type: 'RefundRequested' }>['data'];
  return [{ type: 'RefundRequested', data }, refundSettled('rfnd_1')];
};

test.each([
  ['nothing about a paid order', [], [paidAtGateway('pay_1')], [captured()]],
  ['a payment that is not in the log', [MONEY], [paidAtGateway('pay_1'), paidAtGateway('pay_2')], [captured()]],
  ['a refund that is not in the log', [REFUNDS], [paidAtGateway('pay_1', [100])], [captured()]],
  ['nothing about a refund at the gateway itself', [], [paidAtGateway('pay_1', [100], '')], [captured(), ...goneElsewhere(100)]],
  ['a refund at the gateway itself that is not in the log', [REFUNDS], [paidAtGateway('pay_1', [100], '')], [captured()]],
  ['a refund at the gateway itself of another amount', [REFUNDS], [paidAtGateway('pay_1', [100], '')], [captured(), ...goneElsewhere(50)]],
  [
    'a refund of the shop that does not leave out what went back at the gateway itself',
    [REFUNDS, KEPT],
    [paidAtGateway('pay_1', [100], '')],
    [captured(), ...goneElsewhere(100), refundRequested('desk', price), refundSettled()],
  ],
  [
    'a second payment that was not refunded',
    [REFUNDS, KEPT],
    [paidAtGateway('pay_1'), paidAtGateway('pay_2')],
    [captured(), captured(price, 'pay_2'), refundRequested('excess', price, 'pay_2-1')],
  ],
])('of payments, the drill reports %s', async (_, invariants, payments, events) => {
  const links = [{ reference: anOrder, payments }] as unknown as Evidence['links'];
  expect(await broken([...bought('Prepaid'), [PAYMENT, ...events]], { links })).toEqual(
    invariants.map((each) => expect.stringMatching(each)),
  );
});

test('the drill reports an order that another shopper can see', async () => {
  const recorded = { ...new RecordedAnswers(), placed: new Map([[anOrder, { order: view, shopper: 0 }]]) };
  const probe = (status: number) => {
    const at = { ask: async () => ({ status, code: undefined, body: {} }) } as never;
    return probeOthers({ number: 1, at, random: seededRandom(1), recorded });
  };
  await probe(404);
  expect(await broken(bought(), recorded)).not.toContainEqual(expect.stringMatching(/^no shopper saw/));
  await probe(200);
  expect(await broken(bought(), recorded)).toContainEqual(expect.stringMatching(/^no shopper saw or was given/));
});

test('an unpaid order that a process with a clock ahead has cancelled is reported', () => {
  const lapsed = new Map([[anOrder, evening]]);
  expect(lapsedInTime({ lapsed }, instant('2026-01-01T00:00:00.000Z')).broken).toEqual([expect.stringContaining(anOrder)]);
  expect(lapsedInTime({ lapsed }, evening).broken).toEqual([]);
});
