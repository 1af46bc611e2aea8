import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { everythingIsInView, mediaThatHold, REDUCED_MOTION } from '../../../testing/in-view.ts';
import { renderPart } from '../../../testing/shop.tsx';
import { siteContent } from '../site-content.ts';
import { Hero } from './Hero.tsx';

const show = async (): Promise<void> => {
  renderPart(<Hero hero={{ ...siteContent.hero, variant: 'split' }} />);
  // Loads the lazy chunk.
  await act(async () => void (await import('./HeroSplit.tsx')));
};
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const bottle = (name: string) => screen.queryByRole('img', { name }) !== null;

beforeEach(() => {
  vi.useFakeTimers();
  everythingIsInView();
  mediaThatHold();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the split hero', () => {
  test('shows another bottle every three seconds, and the first again after the last', async () => {
    await show();
    expect(bottle('Mogra at Dusk bottle')).toBe(true);
    pass(3000);
    expect(bottle('Oud Saffron Majlis bottle')).toBe(true);
    expect(bottle('Mogra at Dusk bottle')).toBe(false);
    pass(6000);
    expect(bottle('Mogra at Dusk bottle')).toBe(true);
  });

  test('pauses and plays', async () => {
    await show();
    fireEvent.click(screen.getByRole('button', { name: 'Pause rotation' }));
    pass(9000);
    expect(bottle('Mogra at Dusk bottle')).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Play rotation' }));
    pass(3000);
    expect(bottle('Oud Saffron Majlis bottle')).toBe(true);
  });

  test('is still for readers who asked for less motion', async () => {
    mediaThatHold(REDUCED_MOTION);
    await show();
    pass(9000);
    expect(bottle('Mogra at Dusk bottle')).toBe(true);
  });

  test('leads to the shop and to the story', async () => {
    await show();
    expect(screen.getByRole('link', { name: 'Shop the House' }).getAttribute('href')).toBe('/shop');
    expect(screen.getByRole('link', { name: 'Our Story' }).getAttribute('href')).toBe('/about');
  });
});

describe('the centre hero', () => {
  test('is the one that the content chooses, with its picture fetched before all others', () => {
    renderPart(<Hero hero={siteContent.hero} />);
    const picture = screen.getByRole('img', { name: /Three Ruhani bottles/ });
    expect(picture.getAttribute('fetchpriority')).toBe('high');
    expect(picture.getAttribute('srcset')).toContain('/pictures/hero/hero-1200.webp 1200w');
  });
});
