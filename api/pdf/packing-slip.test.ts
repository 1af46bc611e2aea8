import { describe, expect, test } from 'vitest';

import { ERASED } from '#domain/event-store.ts';
import type { OrderLine, Placement } from '#domain/order/events.ts';
import type { PlacedOrder } from '#domain/order/rules.ts';
import { mapOrderTexts, orderTextFields, orderTexts } from '#domain/order/texts.ts';
import { productId } from '#domain/shared/ids.ts';
import { aNumber, created, home, orderAfter, placed, soldLines, type CheckoutChanges } from '#domain/testing/orders.ts';

import { loadFont, splitRuns, type Face } from './fonts.ts';
import { packingSlip } from './packing-slip.ts';
import { readPdf } from './testing/read-pdf.ts';

const ordered = (changes: CheckoutChanges = {}): PlacedOrder => {
  const order = orderAfter(created(changes), placed());
  return { ...order, placement: order.placement as Placement };
};
const pagesOf = async (changes: CheckoutChanges = {}): Promise<readonly string[]> =>
  (await readPdf(await packingSlip(ordered(changes)))).pages;

/** One name for each script that is written from left to right. */
const names = {
  Devanagari: 'क्षत्रिय प्रिया शर्मा, कार्टर रोड।',
  Bengali: 'শ্রীমতী অনন্যা চট্টোপাধ্যায়',
  Tamil: 'தமிழ்ச்செல்வி கௌரி ஸ்ரீ',
  Telugu: 'శ్రీనివాస్ రెడ్డి హైదరాబాద్',
  Gujarati: 'શ્રીમતી કિરણ પટેલ',
  Gurmukhi: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ ਢਿੱਲੋਂ',
  Kannada: 'ಶ್ರೀನಿವಾಸ ಮೂರ್ತಿ ಕ್ಷೇತ್ರ',
  Malayalam: 'ശ്രീലക്ഷ്മി നമ്പൂതിരി കോഴിക്കോട്',
  Oriya: 'ଶ୍ରୀମତୀ ସୁଭଦ୍ରା ଭୁବନେଶ୍ୱର',
  MeeteiMayek: 'ꯃꯅꯤꯄꯨꯔ',
  OlChiki: 'ᱥᱟᱱᱛᱟᱲᱤ',
  Vietnamese: 'Nguyễn Thị Ánh Tuyết Đặng',
  'Latin with marks': 'Šťastný Łukasz Ağa Ṭhākur',
  'Latin with marks of their own': 'ẹ́ ɔ́ m̃ n̄',
  Greek: 'Γιώργος Παπαδόπουλος',
  Cyrillic: 'Фёдор Ґалина Ђорђе Қазақ',
  Thai: 'สมชาย ใจดี',
  'Chinese, simplified,': '李明 诸葛亮 北京市朝阳区',
  'Chinese, traditional,': '張偉 陳龍 劉',
  Japanese: '佐藤さくら タナカー 髙﨑',
  Korean: '김철수 서울특별시',
};

describe('a packing slip', () => {
  test('shows number, lines, quantities, address and what was typed for the packer, and no prices', async () => {
    const texts = mapOrderTexts((field) => `Words of\n${field}`);
    const [page = '', ...more] = await pagesOf({ giftWrap: true, ...texts });
    const forPacker = orderTextFields.filter((field) => (orderTexts[field].readers as readonly string[]).includes('packer'));
    expect(more).toEqual([]);
    const said = [
      [aNumber, 'Placed 14 November 2026', 'Meera Nair', '14 Marine Drive', 'Kochi 682031', 'Kerala, India', '+91 98470 00000'],
      ['3 bottles', 'Gift wrapped', 'Oud Saffron Majlis', 'Smoked oud · Kashmiri saffron · rose absolute', '2', 'Ruh Gulab', '1'],
      ['Words of', ...forPacker, 'Page 1 of 1'],
    ].flat();
    for (const text of said) expect(page).toContain(text);
    for (const price of ['₹', '3,450', '2,450', '9,350', '.00', 'total']) expect(page).not.toContain(price);
  });

  test('leaves out empty parts', async () => {
    const [page = ''] = await pagesOf();
    expect(page).toContain('No gift wrap');
    for (const { shortTitle } of Object.values(orderTexts)) expect(page).not.toContain(shortTitle);
  });

  test('is a tagged document with title and language', async () => {
    const { title, language, isTagged } = await readPdf(await packingSlip(ordered()));
    expect({ title, language, isTagged }).toEqual({ title: `Packing slip ${aNumber}`, language: 'en-IN', isTagged: true });
  });

  test('has the same bytes for the same order, whatever was written before', async () => {
    const order = ordered({ giftMessage: 'कि कि র্কি office\u00a0₹' });
    const before = await packingSlip(order);
    await packingSlip(ordered({ giftMessage: 'किताब officer\u00a0\u00a0কিন্তু' }));
    expect((await packingSlip(order)).equals(before)).toBe(true);
  });

  test('continues on further pages, with each line and all of a long note', async () => {
    const lines = Array.from({ length: 40 }, (_, index): OrderLine => ({
      ...soldLines[0],
      productId: productId(`perfume-${index}`),
      name: `Perfume no. ${index + 1}.`,
      quantity: 100 + index,
    }));
    const note = `${'Leave it with the guard. '.repeat(16)}${'x'.repeat(99)}`;
    const pages = await pagesOf({ lines, note });
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    const all = pages.join('\n');
    for (const { name, quantity } of lines) expect(all).toMatch(new RegExp(`${name}\\n.*\\n${quantity}`));
    expect(pages.filter((page) => page.includes('Quantity'))).toHaveLength(pages.filter((page) => page.includes('Perfume no.')).length);
    expect(all.match(/guard/g)).toHaveLength(16);
    expect(all.match(/x/g)?.length).toBe(99);
  });

  test('shows "erased" once for an erased address', async () => {
    const fields = Object.fromEntries(Object.keys(home).map((field) => [field, ERASED]));
    const [page = ''] = await pagesOf({ shippingAddress: { ...home, ...fields }, giftMessage: ERASED });
    expect(page.match(/erased/g)).toHaveLength(2);
  });
});

describe('a name', () => {
  test.each(Object.entries(names))('in %s is drawn in its letters, and a text search finds it', async (_, name) => {
    const [page] = await pagesOf({ shippingAddress: { ...home, name } });
    expect(page?.split('\n')).toContain(name);
    const drawn = splitRuns(name, 'text').flatMap(({ font, text }) =>
      loadFont(font)
        .layout(text)
        .glyphs.map(({ id }) => id),
    );
    expect(drawn.length).toBeGreaterThan(5);
    // Glyph 0 is the box that replaces a missing glyph.
    for (const id of drawn) expect(id).not.toMatch(/,0\]$|"glyph":0\b/);
  });

  test.each([
    ['Urdu', 'محمد علی خان', 'خان علی محمد'],
    ['Sindhi', 'ٻانهون ڄام', 'ڄام ٻانهون'],
    ['Kashmiri, with vowels,', 'غُلام نَبی', 'نَبی غُلام'],
    ['Hebrew', 'משה כהן', 'כהן משה'],
    ['Urdu, with a number and a bracket,', 'مکان (۱۲) Lane 5', '(۱۲) مکان Lane 5'],
  ])('in %s runs from right to left, and a text search finds its words', async (_, name, leftToRight) => {
    const [page] = await pagesOf({ shippingAddress: { ...home, name } });
    // A PDF reader reverses the letters of each word and keeps the order of the words.
    expect(page?.split('\n')).toContain(leftToRight);
    expect(page).not.toContain('\ufffd');
  });

  test.each([
    ['Meera [👩‍👩‍👧] Nair', 'Meera [] Nair'],
    ['Meera [\ue000\uf8ff] Nair', 'Meera [] Nair'],
    ['Meera [𓀀\u0301] [1\ufe0f\u20e3] Nair', 'Meera [] [1] Nair'],
  ])('%j is written without the signs that no font has', async (name, written) => {
    const [page] = await pagesOf({ shippingAddress: { ...home, name } });
    expect(page?.split('\n')).toContain(written);
    expect(page).not.toContain('\ufffd');
  });

  test('is drawn at the weight of its place, also when the same letters have another weight elsewhere', async () => {
    const outline = (face: Face) =>
      splitRuns('李ễ', face).map(({ font, text }) => [loadFont(font).postscriptName, loadFont(font).layout(text).glyphs]);
    expect(outline('strong')).not.toEqual(outline('text'));
    expect(new Set([...outline('strong'), ...outline('text')].map(([name]) => name)).size).toBe(4);
  });

  test.each([
    'ﬁ',
    'Zoë Ā.',
    '“Rūh” – ₹',
    'e\u0301',
    'a\u200db',
    '\u200d',
    'क\u200d',
    'ि',
    '्',
    'x'.repeat(300),
    '\u0bcd\u0bcd\u0d4d',
    'র্\u200dয',
    'ꯀ\u200dꯅ\u200d',
  ])('with the unusual letters %j is written without an error', async (name) => {
    expect(await pagesOf({ shippingAddress: { ...home, name } })).toHaveLength(1);
  });
});
