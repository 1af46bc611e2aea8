import { describe, expect, test } from 'vitest';

import { RowsToCopy } from './rows-to-copy.ts';
import { tuplesIn } from './testing/tuples.ts';

const scents = () => new RowsToCopy('scents', { key: 'id', columns: { id: 'text', notes: 'json', rating: 'rating' } });
const copied = (tuples: readonly Buffer[] = []) =>
  tuplesIn(tuples).map(([id, notes, rating]) => [String(id), String(notes), rating?.readDoubleBE() ?? null]);
const copiedOf = (table: RowsToCopy) => copied(table.takeOut().tuples);

describe('rows that no event reads', () => {
  test('are tuples of a COPY, whatever characters they have', () => {
    const table = scents();
    table.begin([]);
    const notes = JSON.stringify({ says: 'Oud · “dark”\n' });
    table.set({ id: 'a\tb\\', notes, rating: null });
    expect(copiedOf(table)).toEqual([['a\tb\\', notes, null]]);
    expect(copiedOf(table)).toEqual([]);
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
    expect(copiedOf(table)).toEqual([
      ['oud', '1', 3],
      ['rose', '1', 5],
    ]);
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
    expect(copiedOf(table)).toEqual([
      ['oud', '1', 1],
      ['rose', '1', 2],
    ]);
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
    const { fresh, put, tuples } = table.takeOut();
    expect({ fresh, put, tuples: copied(tuples) }).toEqual({ fresh: [], put: [again], tuples: [['rose', '1', 3]] });
  });

  test('cannot be read', () => {
    const table = scents();
    expect(() => table.begin(['oud'])).toThrow('read by no event');
    expect(() => table.get()).toThrow('read by no event');
  });
});
