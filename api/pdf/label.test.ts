import { describe, expect, test } from 'vitest';

import { ERASED } from '#domain/event-store.ts';
import type { OrderEvent, ShippingAddress } from '#domain/order/events.ts';
import type { PlacedOrder } from '#domain/order/rules.ts';
import { aNumber, confirmed, created, home, orderAfter, parcel, placed, shipped } from '#domain/testing/orders.ts';
import { evening } from '#domain/testing/carts.ts';

import { labels } from './label.ts';
import { packingSlips } from './packing-slip.ts';
import { readPdf } from './testing/read-pdf.ts';

const seller = { name: 'RUHANI', address: 'Kannauj 209725, India', state: 'Uttar Pradesh' } as const;
const after = (...events: readonly OrderEvent[]) => orderAfter(...events) as PlacedOrder;
const pagesOf = async (...orders: readonly PlacedOrder[]) => (await readPdf(await labels({ orders, seller }))).pages;
const to = (fields: Partial<Record<keyof ShippingAddress, string>>) =>
  after(created({ shippingAddress: { ...home, ...fields } }), placed());

describe('the label of a parcel', () => {
  test('names sender, recipient, number and what the courier collects', async () => {
    const [page = '', ...more] = await pagesOf(after(created(), placed()));
    expect(more).toEqual([]);
    const facts = [
      'Kannauj 209725',
      'Meera Nair',
      '14 Marine Drive',
      'Kochi, Kerala',
      '682031',
      '+91 98470 00000',
      aNumber,
      'collect ₹11,033.00',
    ];
    for (const fact of facts) expect(page).toContain(fact);
    expect(page).not.toContain('Oud');
  });

  test('names courier and number, and collects nothing that is paid in advance', async () => {
    const [page = ''] = await pagesOf(after(created(), placed('Prepaid'), confirmed(), shipped('', evening, parcel)));
    for (const fact of ['collect nothing', 'Blue Dart · BD4711']) expect(page).toContain(fact);
    expect(page).not.toContain('₹');
  });

  test('is one page, however long the address is, and has all of it', async () => {
    const long = {
      name: 'अ '.repeat(60),
      address1: 'वार्ड '.repeat(33),
      address2: 'Ward '.repeat(40),
      city: 'Pur '.repeat(25),
      state: 'Goa '.repeat(25),
    };
    const [page = '', ...more] = await pagesOf(to(long));
    expect(more).toEqual([]);
    expect(page.match(/Ward/g)).toHaveLength(40);
    expect(page.match(/वार्ड/g)).toHaveLength(33);
    expect(page).toContain(aNumber);
  });

  test('is readable in Indian scripts, and says "erased" once', async () => {
    expect(await pagesOf(to({ name: 'क्षत्रिय प्रिया शर्मा', city: 'কলকাতা' }))).toEqual([
      expect.stringMatching(/क्षत्रिय प्रिया शर्मा[^]*কলকাতা/),
    ]);
    const erased = Object.fromEntries(Object.keys(home).map((field) => [field, ERASED]));
    expect((await pagesOf(to(erased)))[0]?.match(/erased/g)).toHaveLength(1);
  });
});

test('labels and slips of a selection are in its order, each on pages of its own, as tagged documents', async () => {
  const lines = orderAfter(created()).lines.flatMap((line) => Array.from({ length: 20 }, () => line));
  const orders = [to({ name: 'Asha' }), { ...to({ name: 'Bina' }), lines }, to({ name: 'Chitra' })];
  expect(await pagesOf(...orders)).toEqual(['Asha', 'Bina', 'Chitra'].map((name) => expect.stringContaining(name)));
  const { pages, isTagged, title } = await readPdf(await packingSlips(orders));
  expect({ isTagged, title }).toEqual({ isTagged: true, title: 'Packing slips' });
  expect(pages.map((page) => /Page \d of \d/.exec(page)?.[0])).toEqual(
    ['1 of 1', '1 of 3', '2 of 3', '3 of 3', '1 of 1'].map((place) => `Page ${place}`),
  );
  expect(pages[0]).toContain('Asha');
  expect(pages.at(-1)).toContain('Chitra');
  expect((await labels({ orders, seller })).equals(await labels({ orders, seller }))).toBe(true);
});
