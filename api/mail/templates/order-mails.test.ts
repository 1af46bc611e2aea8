import { describe, expect, test } from 'vitest';
import type { OrderEvent } from '#domain/order/events.ts';
import { isPlaced } from '#domain/order/rules.ts';
import { mapOrderTexts, orderTexts, textsFor } from '#domain/order/texts.ts';
import { paise } from '#domain/shared/money.ts';
import { personalText } from '#domain/shared/text.ts';
import { anOrder, evening } from '#domain/testing/carts.ts';
import { confirmed, created, delivered, orderAfter, parcel, placed, shipmentCorrected, shipped } from '#domain/testing/orders.ts';
import { returnDecided, returnReceived, returnRequested } from '#domain/testing/orders.ts';
import { sampleMails } from '../gallery.ts';
import { composeOrderMail, orderNews, type MailedOrder, type OrderNews } from './order-mails.ts';

const LINKS = { publicUrl: 'https://ruhani.example', page: 'https://ruhani.example/order/token' };

test('the mail of a placed order has every text that its shopper sees', () => {
  const order = orderAfter(created(mapOrderTexts((field) => `Words of ${field}`)), placed());
  if (!isPlaced(order)) throw new Error('It is placed');
  const input = { news: 'order-placed', order: { ...order, id: anOrder }, ...LINKS } as const;
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
/** Every text of the order and its last note are the lure, and so is its address, unless another is given. */
const luring = (lure: string, address = lure) => {
  const order = orderAfter(created(mapOrderTexts(() => lure)), placed());
  if (!isPlaced(order)) throw new Error('It is placed');
  const { email, phone } = order.shippingAddress;
  const line = personalText(address);
  const named = { name: line, address1: line, address2: line, city: line, state: line, postalCode: line, country: line };
  const history = order.history.map((step) => ({ ...step, note: personalText(lure) }));
  const [at, texts] = [evening, { reason: personalText(lure), note: personalText(lure) }];
  const asked = {
    id: 1,
    status: 'accepted',
    lines: order.lines,
    value: paise(1_00),
    requestedAt: at,
    decidedAt: at,
    receivedAt: null,
  } as const;
  const returns = [{ ...asked, ...texts, restock: null }];
  return { ...order, id: anOrder, history, returns, shippingAddress: { ...named, email, phone } };
};

describe.each(orderNews)('the mail %s', (news) => {
  const compose = (lure: string, isShopper: boolean) => composeOrderMail({ news, order: luring(lure), ...LINKS }, { isShopper });

  test.each(LURES)('to an address that nobody has proven has nothing of a stranger that reads like a link: %s', (lure) => {
    const { text, html, subject } = compose(lure, false);
    for (const part of [text, html, subject]) expect(part.replaceAll('\u2060', '')).not.toContain(lure);
  });

  test('opens the order in every browser', () => {
    const { text, html } = compose('Lakshmi', false);
    for (const part of [text, html]) expect(part).toContain(LINKS.page);
  });

  test('to such an address has neither gift message nor note', () => {
    const order = luring('Pay me', 'Lakshmi');
    const { text, html } = composeOrderMail({ news, order, ...LINKS });
    for (const part of [text, html]) expect(part).not.toContain('Pay me');
  });

  test.each(LURES)('makes no link of what its shopper typed: %s', (lure) => {
    const { text, html } = compose(lure, true);
    const plain = [text, html].map((part) => part.replaceAll(/https:\/\/ruhani\.example[^\s"]*/g, ''));
    for (const part of plain) expect(part).not.toMatch(/https?:\/\/evil|www\.evil|evil\.test|@evil|EVIL。TEST|92e\.com|tel:\//i);
  });
});

describe('the mail of an order', () => {
  const story = [created(), placed(), confirmed('Packed'), shipped('', evening, parcel), shipmentCorrected({ ...parcel, courier: 'DTDC' })];
  const compose = (news: OrderNews, events: readonly OrderEvent[]) => {
    const order = orderAfter(...events);
    if (!isPlaced(order)) throw new Error('It is placed');
    return composeOrderMail({ news, order: { ...order, id: anOrder }, ...LINKS });
  };
  test.each([
    ['order-placed', 2],
    ['order-confirmed', 3],
    ['order-shipped', 4],
  ] as const)('%s names the cash to have ready, unless it is paid in advance', (news, steps) => {
    const cash = 'Please have ₹11,033.00 ready in cash';
    const mail = compose(news, story.slice(0, steps));
    for (const part of [mail.text, mail.html]) expect(part).toContain(cash);
    expect(compose(news, [created(), placed('Prepaid'), ...story.slice(2, steps)]).text).not.toContain(cash);
  });

  test.each([
    ['order-shipped', 4, 'Blue Dart'],
    ['shipment-corrected', 5, 'DTDC'],
  ] as const)('%s names courier and number, and leads to the courier', (news, steps, courier) => {
    const { text, html } = compose(news, story.slice(0, steps));
    for (const part of [text, html]) for (const fact of ['Courier: ', courier, 'BD4711', parcel.trackingUrl]) expect(part).toContain(fact);
    expect(text).toContain(`Track your order: ${parcel.trackingUrl}`);
  });

  test.each(['order-shipped', 'shipment-corrected'] as const)('%s promises no tracking without it', (news) => {
    const { text, html } = compose(news, [...story.slice(0, 3), shipped()]);
    for (const part of [text, html]) expect(part).not.toMatch(/Track your order|Courier/);
  });

  test.each([
    ['return-accepted', returnDecided()],
    ['return-received', returnReceived()],
  ] as const)('%s asks where to transfer what was paid in cash', (news, last) => {
    const since = [returnRequested(), ...(news === 'return-received' ? [returnDecided()] : []), last];
    const asks = (method: 'COD' | 'Prepaid') =>
      compose(news, [created(), placed(method), confirmed(), shipped(), delivered(), ...since]).text.includes(
        'answer this mail with your UPI ID',
      );
    expect([asks('COD'), asks('Prepaid')]).toEqual([true, false]);
  });

  test('return-refused tells an address that nobody has proven where the reason stands', () => {
    const events = [
      created(),
      placed(),
      confirmed(),
      shipped(),
      delivered(),
      returnRequested(),
      returnDecided('refused', 'The seal is broken'),
    ];
    const { text } = compose('return-refused', events);
    expect(text).toContain('Our reason stands on the page of your order.');
    expect(text).not.toContain('The seal is broken');
    expect(compose('return-refused', [...events.slice(0, -1), returnDecided('refused')]).text).not.toContain('Our reason');
  });

  test('a corrected link alone is how to follow the parcel', () => {
    const linked = shipmentCorrected({ courier: '', trackingNumber: '', trackingUrl: parcel.trackingUrl });
    const { text } = compose('shipment-corrected', [...story.slice(0, 3), shipped(), linked]);
    expect(text).toContain('This is how you follow your parcel.');
    expect(text).toContain(`Track your order: ${parcel.trackingUrl}`);
  });

  test('that waits since a release that knew no shipments is sent', () => {
    const { shipment: _, ...order } = orderAfter(...story.slice(0, 3), shipped());
    const waiting = { ...order, id: anOrder } as MailedOrder;
    expect(composeOrderMail({ news: 'order-shipped', order: waiting, ...LINKS }).text).toContain('has left our house');
  });
});

test.each([...sampleMails('https://ruhani.example', { isShopper: true })])(
  'the mail %s has the same sums, links and numbers as text and HTML, and loads nothing',
  (_, { text, html }) => {
    const body = html.replace(/^[^]*<\/head>/, '').replace(/<div style="display:none[^]*?<\/div>/, '');
    const linksIn = (part: string) => [...new Set(part.match(/https?:\/\/[^\s"<]+/g))].toSorted();
    const sumsIn = (part: string) => (part.match(/₹[\d,.]+\d/g) ?? []).toSorted();
    const readable = body.replaceAll('&#39;', "'").replaceAll('&amp;', '&');
    expect(linksIn(readable)).toEqual(linksIn(text));
    expect(sumsIn(body)).toEqual(sumsIn(text));
    const numbersIn = (part: string) => [...new Set(part.replaceAll(/https?:\S+/g, '').match(/\d+/g))].toSorted();
    expect(numbersIn(readable.replaceAll(/<[^>]*>/g, ' '))).toEqual(numbersIn(text));
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|url\(|undefined|\[object/i);
  },
);

test('a name and an address without links are in the mail', () => {
  const order = luring('Lakshmi Rao, 12/3 M.G. Road, St. Mary');
  const { text } = composeOrderMail({ news: 'order-placed', order, ...LINKS });
  expect(text).toContain('Dear Lakshmi Rao, 12/3 M.G. Road, St. Mary, your order');
  expect(text).toContain('Shipping to:');
});
