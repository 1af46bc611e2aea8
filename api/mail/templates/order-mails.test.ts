import { expect, test } from 'vitest';
import { isPlaced } from '#domain/order/rules.ts';
import { mapOrderTexts, orderTexts, textsFor } from '#domain/order/texts.ts';
import { anOrder } from '#domain/testing/carts.ts';
import { created, orderAfter, placed } from '#domain/testing/orders.ts';
import { composeOrderMail } from './order-mails.ts';

test('the mail of a placed order has every text that its shopper sees', () => {
  const order = orderAfter(created(mapOrderTexts((field) => `Words of ${field}`)), placed());
  if (!isPlaced(order)) throw new Error('It is placed');
  const { text, html } = composeOrderMail({ news: 'order-placed', order: { ...order, id: anOrder }, publicUrl: 'https://ruhani.example' });
  expect(textsFor('shopper', order)).toHaveLength(Object.keys(orderTexts).length);
  for (const { title, text: words } of textsFor('shopper', order)) {
    expect(text).toContain(`${title}:\n${words}`);
    expect(html).toContain(words);
  }
});
