import { expect, test } from 'vitest';

import { formatScentNotes, splitDetails } from './scent-notes.ts';

const LINE = 'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather';
const notes = [
  { level: 'Top', notes: 'saffron, nutmeg' },
  { level: 'Heart', notes: 'rose absolute' },
  { level: 'Base', notes: 'Assam oud, leather' },
];

test.each([
  [
    'are read from their line, which is removed from the details',
    ['50 ml spray', LINE, 'Lasts 10 hours'],
    notes,
    ['50 ml spray', 'Lasts 10 hours'],
    1,
  ],
  ['are none without such a line', ['Notes: damask rose, honey'], [], ['Notes: damask rose, honey'], 1],
  ['may be fewer than three', ['Top: lime'], notes.slice(0, 1).map((note) => ({ ...note, notes: 'lime' })), [], 0],
  ['may begin with another level', ['Base: oud'], [{ level: 'Base', notes: 'oud' }], [], 0],
  [
    'are none when the line cannot be read completely, and the line stays',
    ['Top: lime · and a secret'],
    [],
    ['Top: lime · and a secret'],
    1,
  ],
  ['are none when a level stands twice', ['Top: lime · Top: rose'], [], ['Top: lime · Top: rose'], 1],
])("a perfume's notes %s", (_, details, read, lines, at) => expect(splitDetails(details)).toEqual({ notes: read, lines, at }));

test("a perfume's notes are written as the line that is read", () => {
  expect(formatScentNotes({ Top: ' saffron, nutmeg', Heart: 'rose absolute', Base: 'Assam oud, leather ' })).toBe(LINE);
  expect(formatScentNotes({ Top: '', Heart: 'rose · oud', Base: ' ' })).toBe('Heart: rose, oud');
});
