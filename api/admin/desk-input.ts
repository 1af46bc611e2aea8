import { z } from 'zod';

import { orderStatuses } from '#domain/order/rules.ts';
import { cursorFromText, type DeskQuestion } from '#projections/orders/orders-desk.ts';

import { parse } from '../http/input.ts';
import { typed } from '../http/typed-text.ts';

const LARGEST_PAGE = 200;
const USUAL_PAGE = 50;

/** The statuses of placed orders. */
const statuses = orderStatuses.filter((status) => status !== 'created');

const cursor = z
  .string()
  .max(200, 'Not a cursor of this list')
  .transform((text, context) => {
    const place = cursorFromText(text);
    if (!place) context.addIssue({ code: 'custom', message: 'Not a cursor of this list' });
    return place;
  });

const Input = z.object({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'A whole number from 1')
    .transform((text) => Math.min(Number(text), LARGEST_PAGE))
    .default(USUAL_PAGE),
  status: z.enum(statuses, `One of ${statuses.join(', ')}`).optional(),
  q: typed.max(100, 'At most 100 characters').optional(),
  cursor: cursor.optional(),
});

/** The query of the orders desk. Throws a 400 that names each wrong parameter; unknown ones are ignored. */
export const deskQuestionFrom = (query: unknown): DeskQuestion => {
  const { limit, status, q, cursor: after } = parse(Input, query);
  return { limit, status, text: q, after };
};
