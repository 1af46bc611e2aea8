import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { parse } from './input.ts';

const Input = z.object({ name: z.string().max(5, 'At most 5 characters'), quantity: z.int('A whole number').optional() });

describe('parsing input', () => {
  test('drops unknown fields', () => expect(parse(Input, { name: 'Oud', isAdmin: true })).toEqual({ name: 'Oud' }));

  test.each([
    [{}, { name: 'Required' }],
    [{ name: null }, { name: 'Required' }],
    [{ name: 7 }, { name: 'Must be of type string' }],
    [
      { name: 'Oud Royal', quantity: 1.5 },
      { name: 'At most 5 characters', quantity: 'A whole number' },
    ],
    ['a text', { body: 'Must be of type object' }],
    [undefined, { body: 'Required' }],
  ])('of %j names the wrong fields with their errors', (value, errors) => {
    const parsing = () => parse(Input, value);
    expect(parsing).toThrow(expect.objectContaining({ answer: expect.objectContaining({ status: 400, code: 'invalid_request', errors }) }));
  });
});
