import { describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { getCookieHeader } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { admin, auditor, ordering, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { readPdf } from './testing/read-pdf.ts';

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true });
await change([shop], oudSaffronMajlis, add());
const alice = await signedUp(shop, 'alice@example.com');
const { _id: placed, orderNumber } = await alice.buy({ note: 'Ring twice' });
const { _id: second, orderNumber: secondNumber } = await alice.buy();
const draft = (await alice.draft())._id;
const desk = await signedInAs(shop, admin);

describe.each([
  [
    'packing slip',
    `${orderNumber}-packing-slip`,
    (id: string) => `/api/admin/order/${id}/packing-slip.pdf`,
    ['Oud Saffron Majlis', 'Ring twice'],
  ],
  ['label', `${orderNumber}-label`, (id: string) => `/api/admin/order/${id}/label.pdf`, ['collect ₹4,071.00']],
  ['page of slips', 'packing-slips', (id: string) => `/api/admin/packing-slips.pdf?ids=${id}`, ['Oud Saffron Majlis', 'Ring twice']],
  ['page of labels', 'labels', (id: string) => `/api/admin/labels.pdf?ids=${id}`, ['collect ₹4,071.00']],
  [
    'slip with its label',
    'slips-and-labels',
    (id: string) => `/api/admin/slips-and-labels.pdf?ids=${id}`,
    ['Oud Saffron Majlis', 'Ring twice', 'collect ₹4,071.00'],
  ],
])('the %s of an order', (_, name, pathOf, facts) => {
  test('is shown to the staff as a PDF that is never cached', async () => {
    const answer = await fetch(`${shop.url}${pathOf(placed)}`, { headers: { cookie: getCookieHeader(desk) } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${name}.pdf"`);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const { pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
    for (const text of [String(orderNumber), 'Kochi', ...facts]) expect(pages.join('\n')).toContain(text);
  });

  test('is refused to its shopper, visitors and auditors', async () => {
    const auditing = await signedInAs(shop, auditor);
    const answers = [await alice.get(pathOf(placed)), await auditing.get(pathOf(placed)), await ordering(shop).get(pathOf(placed))];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  test('is not found before the order is placed, nor for an unknown order', async () => {
    for (const id of [draft, 'x', '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4'])
      expect(await desk.get(pathOf(id))).toMatchObject({ status: 404, body: { message: 'Order not found', code: 'order_not_found' } });
  });
});

describe.each([
  ['packing-slips', ['Deliver to']],
  ['labels', ['collect']],
  ['slips-and-labels', ['Deliver to', 'collect']],
])('%s of a selection', (name, papers) => {
  const path = (ids: string) => `/api/admin/${name}.pdf?ids=${ids}`;

  test('are in its order, each once', async () => {
    const answer = await fetch(`${shop.url}${path([second, placed, second].join())}`, { headers: { cookie: getCookieHeader(desk) } });
    const { pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
    const parts = [secondNumber, orderNumber].flatMap((number) => papers.map((paper) => [String(number), paper] as const));
    expect(pages).toHaveLength(parts.length);
    for (const [page, words] of parts.entries()) for (const word of words) expect(pages[page]).toContain(word);
  });

  test('are refused without orders and for more than 200, and not found with a draft among them', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e9${String(index).padStart(3, '0')}`);
    const refused = [path(''), path(','), `/api/admin/${name}.pdf`, `${path(placed)}&ids=${second}`, path(many.join())];
    for (const each of refused) expect(await desk.get(each)).toMatchObject({ status: 400, body: { errors: { ids: expect.any(String) } } });
    expect(await desk.get(path([placed, draft].join()))).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  });
});
