import { beforeEach, expect, test, vi } from 'vitest';
import { createScrollPositions } from './ScrollRestoration.tsx';

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

const refuse = (): never => {
  throw new DOMException('Denied', 'SecurityError');
};

let tab: Storage;
beforeEach(() => {
  tab = memory();
  vi.stubGlobal('sessionStorage', tab);
  return () => vi.unstubAllGlobals();
});

test('the scroll positions for Back survive a reload', () => {
  const places = createScrollPositions();
  places.set('a', 1200);
  places.save();
  expect(createScrollPositions().get('a')).toBe(1200);
  expect(createScrollPositions().get('b')).toBeUndefined();
});

test('the scroll positions for Back are limited to the newest 100', () => {
  const places = createScrollPositions();
  for (let entry = 0; entry <= 100; entry++) places.set(`${entry}`, entry);
  places.save();
  expect(createScrollPositions().get('0')).toBeUndefined();
  expect(createScrollPositions().get('100')).toBe(100);
});

test.each(['no JSON', '{}', '[1, null, ["a", "b"]]'])('the scroll positions for Back are empty when the storage contains %s', (text) => {
  tab.setItem('scroll-places', text);
  expect(createScrollPositions().get('a')).toBeUndefined();
});

test.each([
  ['each of its calls', { value: { ...memory(), getItem: refuse, setItem: refuse } }],
  ['any access to it', { get: refuse }],
])('the scroll positions for Back are kept in memory when the browser refuses %s', (_, storage) => {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, ...storage });
  const places = createScrollPositions();
  places.set('a', 1200);
  places.save();
  expect(places.get('a')).toBe(1200);
});
