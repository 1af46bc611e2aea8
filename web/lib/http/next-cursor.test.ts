import { describe, expect, test } from 'vitest';
import { nextCursor } from './next-cursor.ts';

describe('where a listing goes on', () => {
  test('is the cursor of rel="next"', () => expect(nextCursor('</api/product?limit=20&cursor=a%2Bb%3D>; rel="next"')).toBe('a+b='));
  test('the address may be absolute, and other links may stand beside it', () =>
    expect(nextCursor('<https://shop.example/api/product>; rel="first", <https://shop.example/api/product?cursor=c2>; rel="next"')).toBe(
      'c2',
    ));
  test('is undefined without rel="next"', () => {
    expect(nextCursor(undefined)).toBeUndefined();
    expect(nextCursor('</api/product?cursor=c0>; rel="prev"')).toBeUndefined();
  });
});
