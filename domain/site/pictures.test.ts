import { describe, expect, test } from 'vitest';
import { srcSetOf, widthsOf } from './pictures.ts';

describe('the addresses of a picture', () => {
  test('an own picture has the widths of its folder', () =>
    expect(srcSetOf('/pictures/hero/cutout-1.webp', 'avif')).toBe(
      '/pictures/hero/cutout-1-400.avif 400w, /pictures/hero/cutout-1-700.avif 700w, /pictures/hero/cutout-1-1000.avif 1000w',
    ));
  test('the second picture of a perfume has its own addresses', () =>
    expect(srcSetOf('/pictures/products/ruh-gulab-2.webp', 'webp')).toContain('/pictures/products/ruh-gulab-2-480.webp 480w'));
  test.each([
    'https://example.com/bottle.jpg',
    'https://example.com/pictures/products/x.webp',
    '/pictures/placeholder.svg',
    '/pictures/og.webp',
  ])('%s has one size', (address) => {
    expect(widthsOf(address)).toEqual([]);
    expect(srcSetOf(address, 'avif')).toBeUndefined();
  });
  test('an uploaded picture exists as WebP only', () => {
    expect(srcSetOf('/pictures/uploads/0a1b.webp', 'avif')).toBeUndefined();
    expect(srcSetOf('/pictures/uploads/0a1b.webp', 'webp')).toContain('/pictures/uploads/0a1b-480.webp 480w');
  });
});
