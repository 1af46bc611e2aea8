import { beforeEach, describe, expect, test } from 'vitest';
import { createScrollPositions } from './ScrollRestoration.tsx';

/** The part of sessionStorage that is used. */
const memory = (): Storage => {
  const items = new Map<string, string>();
  return {
    length: 0,
    clear: () => items.clear(),
    key: () => null,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
};

let tab: Storage;
beforeEach(() => {
  tab = memory();
});

describe('the places to which Back returns', () => {
  test('survive a reload', () => {
    const places = createScrollPositions(tab);
    places.set('a', 1200);
    places.save();
    expect(createScrollPositions(tab).get('a')).toBe(1200);
    expect(createScrollPositions(tab).get('b')).toBeUndefined();
  });

  test('are limited to the newest hundred', () => {
    const places = createScrollPositions(tab);
    for (let entry = 0; entry <= 100; entry++) places.set(`${entry}`, entry);
    places.save();
    expect(createScrollPositions(tab).get('0')).toBeUndefined();
    expect(createScrollPositions(tab).get('100')).toBe(100);
  });

  test.each(['no JSON', '{}', '[1, null, ["a", "b"]]'])('are empty when the storage contains %s', (text) => {
    tab.setItem('scroll-places', text);
    expect(createScrollPositions(tab).get('a')).toBeUndefined();
  });

  test('are kept in memory when storage is blocked', () => {
    const refuse = (): never => {
      throw new DOMException('Denied', 'SecurityError');
    };
    const places = createScrollPositions({ ...tab, getItem: refuse, setItem: refuse });
    places.set('a', 1200);
    places.save();
    expect(places.get('a')).toBe(1200);
  });
});
