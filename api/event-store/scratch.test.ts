import { expect, test } from 'vitest';

import { Scratch } from './scratch.ts';

test('what is gathered stands together, however much it is, and the next load begins anew', () => {
  const scratch = new Scratch();
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(100_000, index));
  for (const piece of pieces) scratch.append(piece);
  expect(scratch.bytes.equals(Buffer.concat(pieces))).toBe(true);
  scratch.clear();
  scratch.append(Buffer.from('oud'));
  expect(String(scratch.bytes)).toBe('oud');
});
