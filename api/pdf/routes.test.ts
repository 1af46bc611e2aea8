import { describe, expect, test } from 'vitest';

import { add, oudSaffronMajlis } from '#domain/testing/products.ts';

import { getCookieHeader } from '../accounts/testing/browser.ts';
import { change } from '../cart/testing/shopping.ts';
import { admin, auditor, ordering, signedInAs, signedUp } from '../orders/testing/ordering.ts';
import { openShopForFile } from '../testing/test-shop.ts';
import { readPdf } from './testing/read-pdf.ts';

const slipOf = (id: string): string => `/api/admin/order/${id}/packing-slip.pdf`;

const shop = await openShopForFile({ people: { admin, auditor }, projecting: true });
await change([shop], oudSaffronMajlis, add());
const alice = await signedUp(shop, 'alice@example.com');
const placed = (await alice.buy({ note: 'Ring twice' }))._id;
const draft = (await alice.draft())._id;
const desk = await signedInAs(shop, admin);

describe('the packing slip of an order', () => {
  test('is shown to the staff as a PDF that is never cached', async () => {
    const cookie = getCookieHeader(desk);
    const answer = await fetch(`${shop.url}${slipOf(placed)}`, { headers: { cookie } });
    const { orderNumber } = (await alice.order(placed)).order;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${orderNumber}-packing-slip.pdf"`);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const { pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
    for (const text of [String(orderNumber), 'Oud Saffron Majlis', 'Kochi', 'Ring twice']) expect(pages.join('\n')).toContain(text);
  });

  test('is refused to its shopper, visitors and auditors', async () => {
    const auditing = await signedInAs(shop, auditor);
    const answers = [await alice.get(slipOf(placed)), await auditing.get(slipOf(placed)), await ordering(shop).get(slipOf(placed))];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
  });

  test('is not found before the order is placed, nor for an unknown order', async () => {
    for (const id of [draft, 'x', '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4'])
      expect(await desk.get(slipOf(id))).toMatchObject({ status: 404, body: { message: 'Order not found', code: 'order_not_found' } });
  });
});
