import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { everythingIsInView } from '../../testing/in-view.ts';
import type { LoadMoreState } from '../../lib/paged-list.ts';
import { ListFrame } from './ListFrame.tsx';

const frameOf = (rows: readonly string[], more: LoadMoreState, outdated = false) => (
  <ListFrame list={{ state: 'loaded', rows, total: 9, outdated, more }} loading="Loading words..." skeleton={null} empty={null}>
    {(words) => words.map((word) => <p key={word}>{word}</p>)}
  </ListFrame>
);

test('a list scrolled to its end during a refetch loads more rows right after the refetch', () => {
  everythingIsInView();
  const show = vi.fn<() => void>();
  const more = { loading: false, failed: false, show };
  const { rerender } = render(frameOf(['oud'], { ...more, canLoad: false }));
  expect(show).not.toHaveBeenCalled();
  rerender(frameOf(['oud'], { ...more, canLoad: true }));
  expect(show).toHaveBeenCalledOnce();
});

test('outdated rows are shown with a loading text', async () => {
  render(frameOf(['oud'], { loading: false, failed: false, canLoad: false, show: () => {} }, true));
  expect((await screen.findByText('Loading words...')).getAttribute('role')).toBe('status');
  expect(screen.getByText('oud').closest('[aria-busy=true]')).toBeInstanceOf(HTMLElement);
});
