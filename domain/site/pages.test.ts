import { expect, test } from 'vitest';

import { allPerfumes, families } from '../product/families.ts';
import { callKey, categoryFromLink, firstPageCall, pageName, pagePath, pages, productCall, relatedCall } from './pages.ts';

test('a path in any letter case leads to its page, with its parameters as they were given', () => {
  expect(pagePath('/SHOP')).toBe('/shop');
  expect(pagePath('/viewallorders')).toBe(pages.myOrders);
  expect(pagePath('/Product/Oud-Royal')).toBe('/product/Oud-Royal');
  expect(pagePath('/notices/END/a.B')).toBe('/notices/end/a.B');
  for (const path of ['/nothing', '/product/', '/product', '/shop/more', '']) expect(pagePath(path)).toBeUndefined();
  expect(['/', '/product/x', '/Shop', '/x'].map(pageName)).toEqual(['home', 'product', undefined, undefined]);
});

test('a call has the same name on server and browser, whatever the order of its parameters', () => {
  expect(callKey(productCall('a b/c'))).toBe('/product/a%20b%2Fc');
  expect(callKey({ url: '/x', params: { b: 1, a: true } })).toBe('/x?a=true&b=1');
  expect(firstPageCall()).toEqual({ url: '/product', params: { sort: 'featured', limit: 20 } });
  expect(firstPageCall('oud').params).toEqual({ sort: 'featured', limit: 20, category: 'oud' });
  expect(relatedCall('musk')).toEqual({ url: '/product', params: { category: 'musk', limit: 12 } });
});

test('a link names a family in any letter case, with atar for attar', () => {
  expect(['OUD', 'Atar', 'attar', 'tea', ''].map(categoryFromLink)).toEqual(['oud', 'attar', 'attar', undefined, undefined]);
  for (const { name, line } of [...Object.values(families), allPerfumes]) expect(`${name}: ${line}`).toMatch(/^[A-Z]\w[\w ]+: .+\.$/);
  expect(Object.values(families).map(({ name }) => name)).toEqual(['Oud', 'Floral', 'Fresh', 'Musk', 'Attar']);
});
