import { expect, test } from 'vitest';
import { splitDetails } from './ProductFacts.tsx';

test("a perfume's notes are read from the line that starts with Top, which is removed from the details", () =>
  expect(splitDetails(['50 ml spray', 'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather', 'Lasts 10 hours'])).toEqual(
    {
      notes: [
        { name: 'Top', notes: 'Saffron, nutmeg' },
        { name: 'Heart', notes: 'Rose absolute' },
        { name: 'Base', notes: 'Assam oud, leather' },
      ],
      lines: ['50 ml spray', 'Lasts 10 hours'],
    },
  ));

test("a perfume's notes are empty without such a line", () =>
  expect(splitDetails(['Notes: damask rose, honey', '6 ml bottle'])).toEqual({
    notes: [],
    lines: ['Notes: damask rose, honey', '6 ml bottle'],
  }));

test("a perfume's notes may be fewer than three", () =>
  expect(splitDetails(['Top: lime']).notes).toEqual([{ name: 'Top', notes: 'Lime' }]));

test("a perfume's notes are empty when the line cannot be parsed completely, and the line stays", () => {
  const line = 'Top: lime · and a secret';
  expect(splitDetails([line])).toEqual({ notes: [], lines: [line] });
});
