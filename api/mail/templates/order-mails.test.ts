import { describe, expect, test } from 'vitest';
import { isPlaced } from '#domain/order/rules.ts';
import { mapOrderTexts, orderTexts, textsFor } from '#domain/order/texts.ts';
import { personalText } from '#domain/shared/text.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { created, orderAfter, placed } from '#domain/testing/orders.ts';
import { composeOrderMail } from './order-mails.ts';

test('the mail of a placed order has every text that its shopper sees', () => {
  const order = orderAfter(created(mapOrderTexts((field) => `Words of ${field}`)), placed());
  if (!isPlaced(order)) throw new Error('It is placed');
  const input = { news: 'order-placed', order: { ...order, id: anOrder }, publicUrl: 'https://ruhani.example' } as const;
  const { text, html } = composeOrderMail(input, { isShopper: true });
  expect(textsFor('shopper', order)).toHaveLength(Object.keys(orderTexts).length);
  for (const { title, text: words } of textsFor('shopper', order)) {
    expect(text).toContain(`${title}:\n${words}`);
    expect(html).toContain(words);
  }
});

const LURES = [
  'win at https://evil.test/now',
  'www.evil.test',
  'evil.test/a?b',
  'ask me@evil.test',
  'EVIL。TEST',
  'xn--80ak6aa92e.com',
  'tel:/911',
];
const NEWS = [
  'order-placed',
  'order-shipped',
  'order-delivered',
  'order-cancelled',
  'order-paid',
  'payment-reminder',
  'payment-over',
  'order-refunded',
] as const;

/** Every text of the order and its last note are the lure, and so is its address, unless another is given. */
const luring = (lure: string, address = lure) => {
  const order = orderAfter(created(mapOrderTexts(() => lure)), placed());
  if (!isPlaced(order)) throw new Error('It is placed');
  const { email, phone } = order.shippingAddress;
  const line = personalText(address);
  const named = { name: line, address1: line, address2: line, city: line, state: line, postalCode: line, country: line };
  const history = order.history.map((step) => ({ ...step, note: personalText(lure) }));
  return { ...order, id: anOrder, history, shippingAddress: { ...named, email, phone } };
};

describe.each(NEWS)('the mail %s', (news) => {
  const compose = (lure: string, isShopper: boolean) =>
    composeOrderMail({ news, order: luring(lure), publicUrl: 'https://ruhani.example' }, { isShopper });

  test.each(LURES)('to an address that nobody has proven has nothing of a stranger that reads like a link: %s', (lure) => {
    const { text, html, subject } = compose(lure, false);
    for (const part of [text, html, subject]) expect(part.replaceAll('\u2060', '')).not.toContain(lure);
  });

  test('to such an address has neither gift message nor note', () => {
    const order = luring('Pay me', 'Lakshmi');
    const { text, html } = composeOrderMail({ news, order, publicUrl: 'https://ruhani.example' });
    for (const part of [text, html]) expect(part).not.toContain('Pay me');
  });

  test.each(LURES)('makes no link of what its shopper typed: %s', (lure) => {
    const { text, html } = compose(lure, true);
    const plain = [text, html].map((part) => part.replaceAll(/https:\/\/ruhani\.example[^\s"]*/g, ''));
    for (const part of plain) expect(part).not.toMatch(/https?:\/\/evil|www\.evil|evil\.test|@evil|EVIL。TEST|92e\.com|tel:\//i);
  });
});

test('a name and an address without links are in the mail', () => {
  const order = luring('Lakshmi Rao, 12/3 M.G. Road, St. Mary');
  const { text } = composeOrderMail({ news: 'order-placed', order, publicUrl: 'https://ruhani.example' });
  expect(text).toContain('Dear Lakshmi Rao, 12/3 M.G. Road, St. Mary, your order');
  expect(text).toContain('Shipping to:');
});
