import { describe, expect, test } from 'vitest';
import { joinedList, splitList } from './product-form.ts';

const notes = 'Top: saffron, nutmeg · Heart: rose absolute · Base: Assam oud, leather';

describe('a list in a field', () => {
  test('is split on commas, trimmed, and empties are dropped', () =>
    expect(splitList(' one ,, two,three , ')).toEqual(['one', 'two', 'three']));
  test('of nothing is empty', () => expect(splitList(' , ')).toEqual([]));
  test('comes back as it was, commas of its entries included', () => {
    const entries = ['50 ml spray, refillable', notes, 'Lasts 10–12 hours'];
    expect(splitList(joinedList(entries), entries)).toEqual(entries);
  });
  test('may get entries before, between and after those with commas', () =>
    expect(splitList(`New, ${notes}, Boxed, Lasts long`, [notes, 'Lasts long'])).toEqual(['New', notes, 'Boxed', 'Lasts long']));
  test('splits an entry that was itself rewritten', () =>
    expect(splitList('Top: saffron, clove', ['Top: saffron, nutmeg'])).toEqual(['Top: saffron', 'clove']));
});
