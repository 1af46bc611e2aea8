import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { heroes, type HeroVariant } from '#domain/site/pictures.ts';
import { everythingIsInView, mediaThatHold, REDUCED_MOTION } from '../../../testing/in-view.ts';
import { renderPart } from '../../../testing/shop.tsx';
import { siteContent } from '../site-content.ts';
import { Hero } from './Hero.tsx';

const show = (variant?: HeroVariant): void => void renderPart(<Hero hero={{ ...siteContent.hero, ...(variant && { variant }) }} />);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const bottle = (name: string) => screen.queryByRole('img', { name }) !== null;

beforeEach(() => {
  vi.useFakeTimers();
  everythingIsInView();
  mediaThatHold();
});

test('the split hero shows another bottle every three seconds, and the first again after the last', () => {
  show('split');
  expect(bottle('Mogra at Dusk bottle')).toBe(true);
  pass(3000);
  expect(bottle('Oud Saffron Majlis bottle')).toBe(true);
  expect(bottle('Mogra at Dusk bottle')).toBe(false);
  pass(6000);
  expect(bottle('Mogra at Dusk bottle')).toBe(true);
});

test('the split hero pauses and plays', () => {
  show('split');
  fireEvent.click(screen.getByRole('button', { name: 'Pause rotation' }));
  pass(9000);
  expect(bottle('Mogra at Dusk bottle')).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Play rotation' }));
  pass(3000);
  expect(bottle('Oud Saffron Majlis bottle')).toBe(true);
});

test('the split hero links to the shop and the story, and does not move with reduced motion', () => {
  mediaThatHold(REDUCED_MOTION);
  show('split');
  pass(9000);
  expect(bottle('Mogra at Dusk bottle')).toBe(true);
  expect(screen.getByRole('link', { name: 'Shop the House' }).getAttribute('href')).toBe('/shop');
  expect(screen.getByRole('link', { name: 'Our Story' }).getAttribute('href')).toBe('/about');
});

test('the centre hero loads its picture before all others', () => {
  show('center');
  const picture = screen.getByRole('img', { name: /Three Ruhani bottles/ });
  expect(picture.getAttribute('fetchpriority')).toBe('high');
  expect(picture.getAttribute('srcset')).toContain('/pictures/hero/hero-1200.webp 1200w');
});

test('the hero is the split variant if that has pictures to rotate, else the center variant', () => {
  show();
  expect(bottle('Mogra at Dusk bottle')).toBe(true);
  cleanup();
  const { split } = siteContent.hero;
  renderPart(<Hero hero={{ ...siteContent.hero, split: { ...split, foregroundImage: [] } }} />);
  expect(screen.getByRole('img', { name: /Three Ruhani bottles/ })).toBeInstanceOf(HTMLElement);
});

test.each(heroes)('the hero shows the number of customers in the %s variant', (variant) => {
  show(variant);
  expect(screen.getByText('Trusted by 10,000+ happy customers')).toBeInstanceOf(HTMLElement);
});
