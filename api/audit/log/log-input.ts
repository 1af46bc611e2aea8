import { z } from 'zod';

import { logPosition, START, type StreamName } from '#domain/event-store.ts';

import { streamCategories } from '../../event-store/stored-event.ts';
import { parse } from '../../http/input.ts';

const LARGEST_LOG_PAGE = 1_000;
const USUAL_PAGE = 100;
/** Every store counts in 64 bits. */
const HIGHEST_POSITION = 2n ** 63n - 1n;

export const isPosition = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= HIGHEST_POSITION;

const Input = z.object({
  /** The position is exclusive. */
  from: z
    .string()
    .refine(isPosition, 'A position: a whole number')
    .transform((text) => logPosition(BigInt(text)))
    .default(START),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform(Number)
    .optional(),
  category: z
    .enum(streamCategories, `One of ${streamCategories.join(', ')}`)
    .transform((one) => [one] as const)
    .optional(),
  /** Orders have their own route. */
  stream: z
    .string()
    .regex(
      /^(?:(?:cart|product|stock)-[0-9a-z-]{1,64}|payment-[\w-]{1,100}|tax)$/,
      'A cart, a perfume, its stock, a payment, or the tax rates: cart-…, product-…, stock-…, payment-… or tax',
    )
    .transform((text) => text as StreamName)
    .optional(),
  form: z.enum(['read', 'stored'], 'Either read or stored').default('read'),
});

/** Throws a 400 that names each wrong parameter. */
export const logQuestionFrom = (query: unknown) => {
  const { from, limit, category = streamCategories, stream, form } = parse(Input, query);
  return { from, limit, categories: category, stream, form };
};

export const pageSize = (limit: number | undefined): number => Math.min(limit ?? USUAL_PAGE, LARGEST_LOG_PAGE);
