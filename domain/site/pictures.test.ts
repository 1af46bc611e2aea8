import { describe, expect, test } from 'vitest';
import { createSrcSet, listWidths } from './pictures.ts';

describe('the addresses of a picture', () => {
  test('have the widths of the folder for a picture of the shop', () =>
    expect(createSrcSet('/pictures/hero/cutout-1.webp', 'avif')).toBe(
      '/pictures/hero/cutout-1-400.avif 400w, /pictures/hero/cutout-1-700.avif 700w, /pictures/hero/cutout-1-1000.avif 1000w',
    ));
  test('differ for the second picture of a perfume', () =>
    expect(createSrcSet('/pictures/products/ruh-gulab-2.webp', 'webp')).toContain('/pictures/products/ruh-gulab-2-480.webp 480w'));
  test.each([
    'https://example.com/bottle.jpg',
    'https://example.com/pictures/products/x.webp',
    '/pictures/placeholder.svg',
    '/pictures/og.webp',
  ])('are one size for %s', (address) => {
    expect(listWidths(address)).toEqual([]);
    expect(createSrcSet(address, 'avif')).toBeUndefined();
  });
  test('are WebP only for an uploaded picture', () => {
    expect(createSrcSet('/pictures/uploads/0a1b.webp', 'avif')).toBeUndefined();
    expect(createSrcSet('/pictures/uploads/0a1b.webp', 'webp')).toContain('/pictures/uploads/0a1b-480.webp 480w');
  });
});
