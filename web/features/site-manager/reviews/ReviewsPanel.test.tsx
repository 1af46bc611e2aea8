import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ReviewId } from '#domain/review/review.ts';
import { productId } from '#domain/shared/ids.ts';
import { instant } from '#domain/shared/time.ts';
import { openDialog, openSiteManager } from '../testing/open-site-manager.tsx';
import type { DeskReview } from './desk-reviews-api.ts';

const review: DeskReview = {
  _id: '0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4' as ReviewId,
  rating: 5,
  text: 'Warm',
  name: 'Zoya',
  at: instant('2026-11-21T08:00:00.000Z'),
  verified: true,
  product: { _id: productId('oud-royal'), name: 'Oud Royal', picture: '/pictures/products/oud-royal.webp' },
  isNew: true,
  hidden: false,
  reason: '',
  hiddenAt: null,
  hiddenBy: null,
};
const hidden: DeskReview = { ...review, isNew: false, hidden: true, reason: 'Advertises', hiddenAt: review.at, hiddenBy: 'Devika Rao' };
const moderated = ({ url }: { readonly url: string }) => url === `/admin/reviews/${review._id}`;

test('a review is hidden with a reason only', async () => {
  const { asked } = openSiteManager('reviews', { reviews: [review], instead: (call) => (moderated(call) ? { data: hidden } : undefined) });
  expect(await screen.findByRole('link', { name: 'Reviews 1 new' })).toBeInstanceOf(HTMLElement);
  expect((await screen.findByRole('link', { name: 'Oud Royal' })).getAttribute('href')).toBe('/product/oud-royal#reviews');
  const dialog = await openDialog('Hide, review by Zoya');
  await userEvent.click(dialog.getByRole('button', { name: 'Hide review' }));
  expect(await dialog.findByText('Required')).toBeInstanceOf(HTMLElement);
  expect(asked.some(moderated)).toBe(false);
  await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), ' Advertises ');
  await userEvent.click(dialog.getByRole('button', { name: 'Hide review' }));
  await waitFor(() => expect(asked.find(moderated)).toMatchObject({ body: { hidden: true, reason: 'Advertises' } }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a hidden review says by whom and why, and is shown again', async () => {
  const { asked } = openSiteManager('reviews&status=hidden', { reviews: [{ ...review, name: 'Kabir' }, hidden] });
  const row = within((await screen.findByText('Zoya')).closest('li') ?? expect.fail('no row'));
  expect(screen.queryByText('Kabir')).toBeNull();
  expect(row.getByText('Hidden by Devika Rao: Advertises')).toBeInstanceOf(HTMLElement);
  await userEvent.click(row.getByRole('button', { name: 'Show again, review by Zoya' }));
  await waitFor(() => expect(asked.find(moderated)).toMatchObject({ body: { hidden: false } }));
});
