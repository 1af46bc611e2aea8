import { describe, expect, test } from 'vitest';

import { NO_TEXT } from '../shared/text.ts';
import { expectDecision } from '../testing/decisions.ts';
import { create, created, orderAfter, revised } from '../testing/orders.ts';
import { anOrder } from '../testing/carts.ts';
import { checkoutErrors, formOf } from './checkout.ts';
import { order } from './order.ts';
import { mapOrderTexts, orderTextFields, orderTexts, textsFor } from './texts.ts';
import { viewOrder } from './view.ts';

const written = mapOrderTexts((field) => `${orderTexts[field].title} of Meera`);

describe.each(orderTextFields)('the %s of an order', (field) => {
  test('is stored, kept in the state and shown as it was typed', () => {
    const decision = order.decide(order.initial, create({ [field]: '  Ring twice\r\nplease ' }));
    const [event] = decision.ok ? decision.events : [];
    expect(event?.data).toMatchObject({ [field]: 'Ring twice\nplease' });
    expect(event && viewOrder(anOrder, orderAfter(event))).toMatchObject({ [field]: 'Ring twice\nplease' });
  });
  test('makes another checkout a revision if it differs', () =>
    expect(order.decide(orderAfter(created()), create({ [field]: 'Ring twice' }))).toMatchObject({ events: [{ type: 'OrderRevised' }] }));
  test('is removed by a revision without it', () => {
    const state = orderAfter(created({ [field]: 'Ring twice' }), revised());
    expect(state[field]).toBe('');
    expect(viewOrder(anOrder, state)[field]).toBe('');
  });
  test('is filled in when the order is edited', () =>
    expect(formOf(orderAfter(created({ [field]: 'Ring twice' })))[field]).toBe('Ring twice'));
  test('is refused if it is too long', () => {
    const { limit } = orderTexts[field];
    expect(checkoutErrors(create({ [field]: 'x'.repeat(limit) }))).toEqual({});
    expect(checkoutErrors(create({ [field]: 'x'.repeat(limit + 1) }))).toEqual({ [field]: `At most ${limit} characters` });
  });
});

test('a checkout with the same texts changes nothing', () => expectDecision(order, [created(written)], create(written), []));

test('each reader sees the texts meant for them, with their titles', () => {
  const state = orderAfter(created(written));
  const seen = (reader: Parameters<typeof textsFor>[0]) => textsFor(reader, state).map(({ title, text }) => [title, text]);
  const giftMessage = ['Gift message', 'Gift message of Meera'];
  const note = ['Order note', 'Order note of Meera'];
  expect(seen('shopper')).toEqual([giftMessage, note]);
  expect(seen('packer')).toEqual([giftMessage, note]);
  expect(seen('auditor')).toEqual([giftMessage, note]);
  expect(seen('desk')).toEqual([note]);
  expect(
    textsFor(
      'shopper',
      mapOrderTexts(() => NO_TEXT),
    ),
  ).toEqual([]);
});
