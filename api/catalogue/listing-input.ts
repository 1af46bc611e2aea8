import { z } from 'zod';

import { categories, type ProductCategory } from '#domain/product/events.ts';
import { exactPrice, HIGHEST_PRICE, ZERO, paise, type Paise } from '#domain/shared/money.ts';
import type { ListingQuery } from '#projections/catalogue/product-index.ts';
import { parseCursor, sorts } from '#projections/catalogue/indexed-product.ts';

import { flagInput, parse, typed } from '../http/input.ts';
import { invalid } from '../http/http-error.ts';

/** The maximum is also the default. */
export const LARGEST_LISTING_PAGE = 200;

const isCategory = (word: string): word is ProductCategory => categories.some((category) => category === word);

/** Parses a comma-separated list in any letter case; `atar` is a spelling of `attar`. */
const families = z
  .string()
  .max(200, 'At most 200 characters')
  .transform((text, context) => {
    const words = text
      .toLowerCase()
      .split(',')
      .map((word) => word.trim());
    const named = words.filter((word) => word !== '').map((word) => (word === 'atar' ? 'attar' : word));
    const known = named.filter(isCategory);
    if (known.length < named.length) context.addIssue({ code: 'custom', message: `Only ${categories.join(', ')}` });
    return known.length > 0 ? new Set(known) : undefined;
  });

const BEYOND_ALL = paise(HIGHEST_PRICE + 1);

const amount = z
  .string()
  .regex(/^\d{1,15}(?:\.\d{1,2})?$/, 'An amount in rupees, such as 1500 or 1500.50')
  .transform((text): Paise => exactPrice(text) ?? BEYOND_ALL);

const Input = z.object({
  isFeatured: flagInput.optional(),
  bestsellers: flagInput.optional(),
  isTrending: flagInput.optional(),
  inStock: flagInput.optional(),
  pictured: flagInput.optional(),
  category: families.optional(),
  minPrice: amount.optional(),
  maxPrice: amount.optional(),
  q: typed.max(100, 'At most 100 characters').trim().optional(),
  sort: z.enum(sorts, `One of ${sorts.join(', ')}`).default('featured'),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform((text) => Math.min(Number(text), LARGEST_LISTING_PAGE))
    .default(LARGEST_LISTING_PAGE),
  cursor: z.string().max(1_000, 'Not a cursor of this list').optional(),
});

/** Throws a 400 that names each wrong parameter; unknown parameters are ignored. */
export const parseListingQuery = (query: unknown): ListingQuery => {
  const { isFeatured, bestsellers, isTrending, inStock, pictured, category, minPrice, maxPrice, q, sort, limit, cursor } = parse(
    Input,
    query,
  );
  const after = cursor === undefined ? undefined : parseCursor(sort, cursor);
  if (cursor !== undefined && !after) throw invalid('Please correct the marked fields', { cursor: 'Not a cursor of this list' });

  const isPriced = minPrice !== undefined || maxPrice !== undefined;
  const price = isPriced ? { min: minPrice ?? ZERO, max: maxPrice ?? BEYOND_ALL } : undefined;
  const flags = { featured: isFeatured, bestseller: bestsellers, trending: isTrending, inStock, pictured };
  const filter = { ...flags, categories: category, price, name: q || undefined };
  return { filter, sort, limit, after };
};
