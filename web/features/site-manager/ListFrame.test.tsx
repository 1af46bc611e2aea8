import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { More } from './paged-list.ts';
import { ListFrame } from './ListFrame.tsx';

afterEach(cleanup);

const frameOf = (rows: readonly string[], more: More, outdated = false) => (
  <ListFrame list={{ state: 'loaded', rows, total: 9, outdated, more }} loading="Loading words..." skeleton={null} empty={null}>
    {(words) => words.map((word) => <p key={word}>{word}</p>)}
  </ListFrame>
);

test('a click on "more" during a refetch loads more right after it', async () => {
  const show = vi.fn<() => void>();
  const more = { loading: false, failed: false, show };
  const { rerender } = render(frameOf(['oud'], { ...more, canLoad: false }));
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(show).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Loading...' })).toBeInstanceOf(HTMLElement);
  rerender(frameOf(['oud'], { ...more, canLoad: true }));
  expect(show).toHaveBeenCalledOnce();
  rerender(frameOf(['oud', 'musk'], { ...more, canLoad: true }));
  expect(screen.getByRole('button', { name: 'Load more' })).toBeInstanceOf(HTMLElement);
  expect(show).toHaveBeenCalledOnce();
});

test('outdated rows are shown with a loading text', async () => {
  render(frameOf(['oud'], { loading: false, failed: false, canLoad: false, show: () => {} }, true));
  expect((await screen.findByText('Loading words...')).getAttribute('role')).toBe('status');
  expect(screen.getByText('oud').closest('[aria-busy=true]')).toBeInstanceOf(HTMLElement);
});
