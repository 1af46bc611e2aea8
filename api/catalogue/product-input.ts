import { z } from 'zod';

import { categories, type ProductCategory } from '#domain/product/events.ts';
import { exactPrice, formatRupees, HIGHEST_PRICE, ZERO, type Paise } from '#domain/shared/money.ts';

import type { Hsn } from '#domain/tax/rates.ts';
import { parse, readableText } from '../http/input.ts';

const text = readableText.trim();
const lines = z.array(text, 'Must be a list of texts').transform((all) => all.filter((line) => line !== ''));
const flag = z.boolean('Either true or false');

/** An empty form field is 0. The domain checks the range. */
const count = z.preprocess((value) => (value === '' || value === null ? 0 : value), z.number('Must be a number'));

const NO_CATEGORY = '';

/** Accepts any letter case; `atar` is a spelling of `attar`. */
const category = text
  .transform((word) => word.toLowerCase().replace(/^atar$/, 'attar'))
  .pipe(z.enum<readonly (ProductCategory | typeof NO_CATEGORY)[]>([...categories, NO_CATEGORY], `One of ${categories.join(', ')}`));

const PRICE = `A price such as ₹2,450.00, at most ${formatRupees(HIGHEST_PRICE)}; empty when it is not for sale`;

const price = z.union([z.string(), z.number()], 'Must be text').transform((written, context): Paise => {
  const exact = exactPrice(String(written));
  if (exact !== undefined) return exact;
  context.addIssue({ code: 'custom', message: PRICE });
  return z.NEVER;
});

/** The domain checks the digits of the code. */
const hsn = text.transform((code) => code as Hsn);

const Fields = z.object({
  name: text,
  details: text,
  category,
  ratingStar: count,
  reviewsCount: count,
  productImageUrl: lines,
  productDescription: text,
  description: text,
  productDetails: lines,
  bestsellers: flag,
  isFeatured: flag,
  isTrending: flag,
  tag: text,
  hsn,
  price,
  inStock: flag,
});

const NewInput = z.object({
  name: text,
  details: text.default(''),
  category: category.default(NO_CATEGORY),
  ratingStar: count.default(0),
  reviewsCount: count.default(0),
  productImageUrl: lines.default([]),
  productDescription: text.default(''),
  description: text.default(''),
  productDetails: lines.default([]),
  bestsellers: flag.default(false),
  isFeatured: flag.default(false),
  isTrending: flag.default(false),
  tag: text.default(''),
  hsn: hsn.optional(),
  price: price.default(ZERO),
  inStock: flag.default(true),
});
const EditInput = Fields.partial().extend({
  expectedRevision: z.int('Must be a whole number').nonnegative('Must be a whole number').optional(),
});

/** Requires only the name. Throws a 400 that names each wrong field. */
export const parseNewProduct = (body: unknown) => parse(NewInput, body);

/** Leaves missing fields unchanged. Throws a 400 that names each wrong field. */
export const parseEdit = (body: unknown) => parse(EditInput, body);
