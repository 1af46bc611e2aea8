import { expect, test } from 'vitest';
import { nextCursor } from './next-cursor.ts';

test('the cursor of the next page is read from rel="next"', () =>
  expect(nextCursor('</api/product?limit=20&cursor=a%2Bb%3D>; rel="next"')).toBe('a+b='));
test('the cursor of the next page is found in an absolute URL and among other links', () =>
  expect(nextCursor('<https://shop.example/api/product>; rel="first", <https://shop.example/api/product?cursor=c2>; rel="next"')).toBe(
    'c2',
  ));
test('the cursor of the next page is undefined without rel="next"', () => {
  expect(nextCursor(undefined)).toBeUndefined();
  expect(nextCursor('</api/product?cursor=c0>; rel="prev"')).toBeUndefined();
});
