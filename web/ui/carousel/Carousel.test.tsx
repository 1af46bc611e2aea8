import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { DESKTOP, everythingIsInView, mediaThatHold, REDUCED_MOTION } from '../../testing/in-view.ts';
import { Carousel } from './Carousel.tsx';

const perfumes = ['Ruh Gulab', 'Ruh Khus', 'Ivory Musk', 'Kamal Pool', 'Musk Raat', 'Konkan Lime', 'Deodar Mist', 'Gulab Bagh'];

const show = (names = perfumes, simple = false) =>
  render(
    <Carousel label="bestsellers" visible={{ phone: 1.2, tablet: 3, wide: 4 }} heading={<h2>Bestsellers</h2>} simple={simple}>
      {names.map((name) => (
        <a key={name} href={`/${name}`}>
          {name}
        </a>
      ))}
    </Carousel>,
  );

/** The controls are rendered twice, and CSS hides one set. */
const first = (name: string) => screen.getAllByRole('button', { name })[0] ?? document.body;
const count = () => screen.getAllByText(/^\d \/ \d$/)[0]?.textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const drag = (by: number) => {
  const track = screen.getByRole('list').parentElement ?? document.body;
  track.setPointerCapture = () => {};
  fireEvent.pointerDown(track, { clientX: 300, button: 0, isPrimary: true });
  fireEvent.pointerMove(track, { clientX: 300 + by, buttons: 1 });
  fireEvent.pointerUp(track, { clientX: 300 + by });
};

beforeEach(() => {
  vi.useFakeTimers();
  everythingIsInView();
  mediaThatHold(...DESKTOP);
});

test('a carousel ends a drag when the mouse was released outside', () => {
  show();
  const list = screen.getByRole('list');
  const track = list.parentElement ?? document.body;
  fireEvent.pointerDown(track, { clientX: 300, button: 0, isPrimary: true });
  const before = list.getAttribute('style');
  fireEvent.pointerMove(track, { clientX: 500, buttons: 0 });
  expect(list.getAttribute('style')).toBe(before);
  expect(count()).toBe('1 / 2');
});

test('a carousel advances every four seconds, and wraps from the end to the beginning', () => {
  show();
  pass(3999);
  expect(count()).toBe('1 / 2');
  pass(1);
  expect(count()).toBe('2 / 2');
  pass(4000);
  expect(count()).toBe('1 / 2');
});

test('a carousel never advances by itself after an interaction', () => {
  show();
  fireEvent.click(first('Next'));
  expect(count()).toBe('2 / 2');
  pass(60_000);
  expect(count()).toBe('2 / 2');
  expect(first('Play bestsellers')).toBeInstanceOf(HTMLButtonElement);
});

test('a carousel pauses while it has the focus', () => {
  show();
  fireEvent.focusIn(screen.getByText('Ruh Gulab'));
  pass(20_000);
  expect(count()).toBe('1 / 2');
  fireEvent.focusOut(screen.getByText('Ruh Gulab'));
  pass(4000);
  expect(count()).toBe('2 / 2');
});

test('a carousel pauses while it is out of view', () => {
  everythingIsInView(false);
  show();
  pass(20_000);
  expect(count()).toBe('1 / 2');
});

test('a carousel starts paused with reduced motion', () => {
  mediaThatHold(...DESKTOP, REDUCED_MOTION);
  show();
  pass(20_000);
  expect(count()).toBe('1 / 2');
  fireEvent.click(first('Play bestsellers'));
  pass(4000);
  expect(count()).toBe('2 / 2');
});

test('a carousel moves with the arrow keys', () => {
  show();
  fireEvent.keyDown(screen.getByRole('region', { name: 'bestsellers' }), { key: 'ArrowLeft' });
  expect(count()).toBe('2 / 2');
});

test('a carousel moves the focus from a slide that leaves the view to the first in view', () => {
  show();
  act(() => screen.getByText('Ivory Musk').focus());
  fireEvent.keyDown(screen.getByText('Ivory Musk'), { key: 'ArrowRight' });
  expect(document.activeElement).toBe(screen.getByText('Musk Raat'));
  fireEvent.keyDown(screen.getByText('Musk Raat'), { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(screen.getByText('Ruh Gulab'));
});

test('a carousel changes after a drag of 50 px, not before', () => {
  show();
  drag(-49);
  expect(count()).toBe('1 / 2');
  drag(-50);
  expect(count()).toBe('2 / 2');
  drag(60);
  expect(count()).toBe('1 / 2');
});

test('a carousel ignores the click that ends a drag, but not a click with a small movement', () => {
  show();
  const onClick = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  screen.getByText('Ruh Gulab').addEventListener('click', onClick);
  drag(-20);
  fireEvent.click(screen.getByText('Ruh Gulab'));
  expect(onClick).not.toHaveBeenCalled();
  drag(-5);
  fireEvent.click(screen.getByText('Ruh Gulab'));
  expect(onClick).toHaveBeenCalledOnce();
});

test('a carousel makes slides out of view inert', () => {
  show();
  const inert = screen.getAllByRole('listitem').map((slide) => slide.hasAttribute('inert'));
  expect(inert).toEqual([false, false, false, false, true, true, true, true]);
});

test('a carousel is a plain row without controls when everything fits', () => {
  show(perfumes.slice(0, 4));
  expect(screen.queryByRole('button')).toBeNull();
  pass(20_000);
  expect(screen.getAllByRole('listitem').every((slide) => !slide.hasAttribute('inert'))).toBe(true);
});

test('a carousel never moves by itself when it is simple', () => {
  mediaThatHold();
  show(perfumes.slice(0, 3), true);
  pass(20_000);
  expect(count()).toBe('1 / 3');
  fireEvent.click(first('Next'));
  expect(count()).toBe('2 / 3');
});
