import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { CreditNoteEvent } from '../invoice/events.ts';
import { creditNotes, creditTotal, invoices } from '../invoice/invoice.ts';
import { payment } from '../payment/payment.ts';
import { NO_PAYMENT } from '../payment/rules.ts';
import { productId, type ProductId } from '../shared/ids.ts';
import { HIGHEST_PRICE, paise, sum } from '../shared/money.ts';
import { NO_TEXT } from '../shared/text.ts';
import { dateInIndia, daysLater, instant } from '../shared/time.ts';
import { taxRate } from '../tax/rates.ts';
import { anOrder, evening, ravi } from '../testing/carts.ts';
import { expectDecision, testDecisions } from '../testing/decisions.ts';
import * as the from '../testing/orders.ts';
import { seller } from '../testing/tax-documents.ts';
import { oudSaffronMajlis, ruhGulab } from '../testing/products.ts';
import type { OrderEvent, ReturnLine } from './events.ts';
import { impossibleBecause, order } from './order.ts';
import { countLeft, isPlaced, returnPolicy } from './rules.ts';
import { computeBill, computeTotals } from './totals.ts';

const { decideReturn, deliveryDay, giveBack, historyOf, moveTo, orderAfter, receiveReturn, returned } = the;
const { returnDecided, returnReceived, returnRequested } = the;

const { delivered } = historyOf;
const accepted = [...delivered, returnRequested(), returnDecided()];
const lines = (oud: number, gulab = 0): readonly ReturnLine[] => [
  ...(oud > 0 ? [{ productId: oudSaffronMajlis, quantity: oud }] : []),
  ...(gulab > 0 ? [{ productId: ruhGulab, quantity: gulab }] : []),
];
/** One Oud Saffron Majlis is back, with a tax of 18 %. */
const onePart = { lines: lines(1), value: paise(4_071_00) };
const oneBack = [...delivered, returnRequested(onePart), returnDecided(), returnReceived()];

describe('a shopper asks for a return', () => {
  const lastMoment = instant('2026-12-01T18:29:59.999Z');
  const late = { code: 'return_too_late', policy: returnPolicy.unopened, lastDay: dateInIndia(lastMoment) } as const;
  const tooMuch = (product: ProductId, left: number) =>
    ({ code: 'return_exceeds_order', products: [{ productId: product, left }] }) as const;
  const text = 'x'.repeat(500);
  testDecisions(order, [
    ['of all that was sold', delivered, giveBack(), [returnRequested()]],
    ['of some of it', delivered, giveBack({ lines: lines(1) }), [returnRequested(onePart)]],
    [
      'in lines that name a perfume twice',
      delivered,
      giveBack({ lines: [...lines(1), ...lines(1)] }),
      [returnRequested({ lines: lines(2), value: paise(8_142_00) })],
    ],
    ['of what is left', oneBack, giveBack(), [returnRequested({ return: 2, lines: lines(1, 1), value: paise(6_962_00) })]],
    [
      'of what was refused before',
      [...delivered, returnRequested(), returnDecided('refused')],
      giveBack({ lines: lines(1) }),
      [returnRequested({ ...onePart, return: 2 })],
    ],
    [
      'until the end of the fourteenth day, in India',
      delivered,
      giveBack({ now: lastMoment }),
      [returnRequested({ requestedAt: lastMoment })],
    ],
    ['but not from midnight on', delivered, giveBack({ now: instant('2026-12-01T18:30:00.000Z') }), late],
    ['but not on the fifteenth day', delivered, giveBack({ now: daysLater(deliveryDay, 15) }), late],
    ['but not after a bottle was opened', delivered, giveBack({ opened: true }), { code: 'bottle_opened', policy: returnPolicy.unopened }],
    ['but not while another is open', [...delivered, returnRequested(onePart)], giveBack({ lines: lines(1) }), { code: 'return_open' }],
    ['but not while another is on its way', accepted, giveBack(), { code: 'return_open' }],
    ['but not of more than was bought', delivered, giveBack({ lines: lines(3) }), tooMuch(oudSaffronMajlis, 2)],
    ['but not of more than is left', oneBack, giveBack({ lines: lines(2) }), tooMuch(oudSaffronMajlis, 1)],
    [
      'but not of what was never bought',
      delivered,
      giveBack({ lines: [{ productId: productId('musk'), quantity: 1 }] }),
      tooMuch(productId('musk'), 0),
    ],
    ['but not once all came back', historyOf.returned, giveBack(), { code: 'nothing_to_return' }],
    ["but not of another shopper's order", delivered, giveBack({ by: ravi }), { code: 'order_not_found' }],
    ['with a reason of 500 characters', delivered, giveBack({ reason: text }), [returnRequested({ reason: text })]],
    ['but not with a longer one', delivered, giveBack({ reason: `${text}x` }), { code: 'note_too_long', most: 500 }],
  ]);
  test.each(['created', 'pending', 'confirmed', 'shipped', 'cancelled'] as const)('but not of an order that is %s', (status) =>
    expectDecision(order, historyOf[status], giveBack(), { code: 'illegal_transition', from: status, to: 'returned' }),
  );
});

describe('staff decide on it and receive the bottles:', () => {
  const requested = [...delivered, returnRequested(onePart)];
  const refused = [...requested, returnDecided('refused', 'It was opened')];
  const back = [...accepted, returnReceived(), returned('')];
  const twice = [...oneBack, returnRequested({ return: 2, lines: lines(1, 1) }), returnDecided('accepted', '', 2)];
  const is = (status: string, restock: boolean | null = null) =>
    expect.objectContaining({ code: 'return_settled', status, restock }) as never;
  testDecisions(order, [
    ['accepted', requested, decideReturn('accepted', 'Write the number on it'), [returnDecided('accepted', 'Write the number on it')]],
    ['refused', requested, decideReturn('refused', 'It was opened'), [returnDecided('refused', 'It was opened')]],
    ['accepted again', accepted, decideReturn(), []],
    ['accepted again after it came', oneBack, decideReturn(), []],
    ['refused again', refused, decideReturn('refused'), []],
    ['not refused once it was accepted', accepted, decideReturn('refused'), is('accepted')],
    ['not refused once it came', oneBack, decideReturn('refused'), is('received', true)],
    ['not accepted once it was refused', refused, decideReturn(), is('refused')],
    ['not with a longer note', requested, decideReturn('accepted', 'x'.repeat(501)), { code: 'note_too_long', most: 500 }],
    ['not without a return', delivered, decideReturn(), { code: 'return_not_found' }],
    ['not of an unknown order', [], receiveReturn(), { code: 'order_not_found' }],
    ['a part came', [...requested, returnDecided()], receiveReturn(false), [returnReceived(false)]],
    ['all of it came', accepted, receiveReturn(), [returnReceived(), returned('')]],
    ['the rest came', twice, receiveReturn(), [returnReceived(true, 2), returned('')]],
    ['received again', back, receiveReturn(), []],
    ['the first is not received for the next one', twice, { ...receiveReturn(false), return: 1 }, is('received', true)],
    ['the first is not refused for the next one', twice, { ...decideReturn('refused'), return: 1 }, is('received', true)],
    ['the second by its number', twice, { ...receiveReturn(), return: 2 }, [returnReceived(true, 2), returned('')]],
    ['none that was not asked for', twice, { ...receiveReturn(), return: 3 }, { code: 'return_not_found' }],
    ['not received in another way', back, receiveReturn(false), is('received', true)],
    ['not received before it was accepted', requested, receiveReturn(), is('requested')],
    ['not received after it was refused', refused, receiveReturn(), is('refused')],
    ['nor by a move of the order', delivered, moveTo('returned'), { code: 'illegal_transition', from: 'delivered', to: 'returned' }],
    ['not of an order that an earlier release took back', [...accepted, returned()], receiveReturn(), is('accepted')],
  ]);
});

test('a return has its own history, and an order is returned once all its bottles came back', () => {
  const steps = [...accepted, returnReceived(), returned('')].slice(delivered.length);
  const seen = steps.map((_, index) => orderAfter(...delivered, ...steps.slice(0, index + 1)));
  expect(seen.map(({ status, returns: [first] }) => [status, first?.status, first?.restock, first?.receivedAt])).toEqual([
    ['delivered', 'requested', null, null],
    ['delivered', 'accepted', null, null],
    ['delivered', 'received', true, deliveryDay],
    ['returned', 'received', true, deliveryDay],
  ]);
  expect(orderAfter(...oneBack).status).toBe('delivered');
  // An earlier release recorded nothing else.
  expect(orderAfter(...historyOf.returned)).toMatchObject({ status: 'returned', returns: [], history: { 5: { note: 'Not for me' } } });
});

test('of an erased shopper a return ends that was only asked for, and one that is on its way is received', () => {
  const erase = { type: 'CancelErased', now: evening } as const;
  const decision = order.decide(orderAfter(...delivered, returnRequested()), erase);
  const events = decision.ok ? decision.events : [];
  expect(events).toMatchObject([{ type: 'ReturnDecided', data: { decision: 'refused', note: NO_TEXT, because: 'erased' } }]);
  expect(orderAfter(...delivered, returnRequested(), ...events).returns).toMatchObject([
    { status: 'refused', note: expect.stringContaining('erased') },
  ]);
  expectDecision(order, accepted, erase, []);
});

describe('an event that no decision can lead to is found:', () => {
  test.each<[string, readonly OrderEvent[], OrderEvent]>([
    ['ReturnRequested of an order that is shipped', historyOf.shipped, returnRequested()],
    ['a return was asked for while another was open', accepted, returnRequested({ return: 2 })],
    ['more was to be returned than was bought', oneBack, returnRequested({ return: 2 })],
    ['ReturnDecided of a return that was not requested', accepted, returnDecided()],
    ['ReturnReceived of a return that was not accepted', [...delivered, returnRequested()], returnReceived()],
    ['ReturnReceived of a return that was not accepted', accepted, returnReceived(true, 2)],
  ])('%s', (why, history, event) => expect(impossibleBecause(orderAfter(...history), event)).toBe(why));
  test('and none of a return as it goes', () =>
    accepted.forEach((event, index) =>
      expect(impossibleBecause(accepted.slice(0, index).reduce(order.evolve, order.initial), event)).toBeUndefined(),
    ));
});

const sold = fc.record({
  unitPrice: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: HIGHEST_PRICE })).map(paise),
  quantity: fc.integer({ min: 1, max: 5 }),
  rate: fc.constantFrom(0, 5, 12.5, 18).map(taxRate),
});
const asked = fc.record({
  picks: fc.array(fc.record({ line: fc.nat(3), quantity: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 4 }),
  decision: fc.constantFrom('accepted' as const, 'accepted' as const, 'refused' as const),
  isAll: fc.boolean(),
});

test('whatever comes back, each credit note and refund is worth the return, and all of them together never more than the order', () => {
  const anyReturns = fc.record({
    lines: fc.array(sold, { minLength: 1, maxLength: 4 }),
    giftWrap: fc.boolean(),
    sellerState: fc.constantFrom('Kerala' as const, 'Goa' as const),
    method: fc.constantFrom('COD' as const, 'Prepaid' as const),
    /** What the courier or the gateway brought. */
    isPaid: fc.boolean(),
    asks: fc.array(asked, { maxLength: 8 }),
  });
  fc.assert(
    fc.property(anyReturns, ({ lines: of, giftWrap, sellerState, method, isPaid, asks }) => {
      const id = (line: number) => productId(`perfume-${line % of.length}`);
      const bought = of.map((each, line) => ({ ...the.soldLines[0], ...each, productId: id(line) }));
      let state = orderAfter(the.created({ lines: bought, giftWrap }), the.placed(method), ...delivered.slice(2));
      let money = NO_PAYMENT;
      const notes: CreditNoteEvent['data'][] = [];
      const { total } = computeTotals(state);
      const pay = (command: Parameters<typeof payment.decide>[1]) => {
        const decision = payment.decide(money, command);
        if (decision.ok) money = decision.events.reduce(payment.evolve, money);
      };
      const [bill, now] = [computeBill(state), deliveryDay];
      const cash = { bill, amount: total, reference: '', collectedOn: dateInIndia(now), now };
      if (isPaid && method === 'COD') pay({ type: 'CollectCash', ...cash });
      if (isPaid && method === 'Prepaid')
        pay({ type: 'CapturePayment', bill, payment: 'pay_1', amount: total, method: 'upi', at: now, now });
      const invoice = isPlaced(state)
        ? invoices.decide(invoices.initial, {
            type: 'IssueInvoice',
            id: anOrder,
            order: state,
            seller: { ...seller, state: sellerState },
            isErased: false,
            shippedAt: now,
            now,
          })
        : undefined;
      const [issued] = invoice?.ok ? invoice.events : [];
      if (!issued) return expect.fail('No invoice');
      const run = (command: Parameters<typeof order.decide>[1]): boolean => {
        const decision = order.decide(state, command);
        if (!decision.ok) return false;
        const after = decision.events.reduce(order.evolve, state);
        if (after.status !== 'none') state = after;
        return decision.events.length > 0;
      };
      for (const { picks, decision, isAll } of asks) {
        const lines = picks.map(({ line, quantity }) => ({ productId: id(line), quantity }));
        run(giveBack({ ...(isAll ? {} : { lines }), sellerState }));
        run(decideReturn(decision));
        if (!run(receiveReturn())) continue;
        const last = state.returns.at(-1);
        const note = creditNotes.decide(
          { notes },
          {
            type: 'IssueCreditNote',
            invoice: issued.data,
            invoiceNumber: 'RH/26-27/000001',
            returned: last?.lines ?? [],
            orderRevision: notes.length,
            isErased: false,
            returnedAt: now,
            now,
          },
        );
        if (note.ok) notes.push(...note.events.map(({ data }) => data));
        expect(creditTotal(notes.at(-1) ?? { lines: [] })).toBe(last?.value);
        pay({ type: 'RefundExcess', bill: computeBill(state), now });
      }
      pay({ type: 'RefundExcess', bill: computeBill(state), now });
      const credited = sum(notes.map(creditTotal));
      const refunded = sum(money.refunds.map(({ amount }) => amount));
      const isReturned = bought.every(({ productId: each }) => countLeft(state, each) === 0);
      expect(state.returns.filter(({ status }) => status === 'received')).toHaveLength(notes.length);
      expect(state.status).toBe(isReturned ? 'returned' : 'delivered');
      expect(refunded).toBe(isPaid ? credited : 0);
      expect(credited).toBeLessThanOrEqual(total);
      if (isReturned) expect(credited).toBe(total);
      return true;
    }),
  );
});
