import { describe, expect, test } from 'vitest';

import { RowsToCopy } from './rows-to-copy.ts';

const scents = () => new RowsToCopy('scents', { key: 'id', columns: { id: 'text', notes: 'json', rating: 'rating' } });
const linesOf = (table: RowsToCopy): string => Buffer.concat(table.takeOut().lines ?? []).toString();

describe('rows that no event reads', () => {
  test('are lines of a COPY, in which special characters are escaped', () => {
    const table = scents();
    table.begin([]);
    table.set({ id: 'a\tb\\', notes: JSON.stringify({ says: 'Oud · “dark”\n' }), rating: null });
    expect(linesOf(table)).toBe('a\\tb\\\\\t{"says":"Oud · “dark”\\\\n"}\t\\N\n');
    expect(linesOf(table)).toBe('');
  });

  test('are the last ones that were set', () => {
    const table = scents();
    for (const [id, rating] of [
      ['oud', 1],
      ['rose', 2],
      ['oud', 3],
      ['myrrh', 4],
      ['rose', 5],
    ] as const) {
      table.begin([]);
      table.set({ id, notes: '1', rating });
    }
    table.begin([]);
    table.delete('myrrh');
    expect(linesOf(table)).toBe('oud\t1\t3\nrose\t1\t5\n');
  });

  test('are as they were when an event fails', () => {
    const table = scents();
    table.begin([]);
    table.set({ id: 'oud', notes: '1', rating: 1 });
    table.set({ id: 'rose', notes: '1', rating: 2 });
    table.begin([]);
    table.set({ id: 'oud', notes: '1', rating: 3 });
    table.set({ id: 'oud', notes: '1', rating: 4 });
    table.delete('rose');
    table.set({ id: 'myrrh', notes: '1', rating: 5 });
    table.undo();
    expect(linesOf(table)).toBe('oud\t1\t1\nrose\t1\t2\n');
  });

  test('replace those that were taken out', () => {
    const table = scents();
    table.begin([]);
    table.set({ id: 'oud', notes: '1', rating: 1 });
    table.takeOut();
    table.begin([]);
    const again = { id: 'oud', notes: '1', rating: 2 };
    table.set(again);
    table.set({ id: 'rose', notes: '1', rating: 3 });
    const { fresh, put, lines = [] } = table.takeOut();
    expect({ fresh, put, lines: String(lines[0]) }).toEqual({ fresh: [], put: [again], lines: 'rose\t1\t3\n' });
  });

  test('cannot be read', () => {
    const table = scents();
    expect(() => table.begin(['oud'])).toThrow('read by no event');
    expect(() => table.get()).toThrow('read by no event');
  });
});
