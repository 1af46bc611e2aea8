import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ReviewView } from '#domain/review/view.ts';
import type { ReviewId } from '#domain/review/review.ts';
import { instant } from '#domain/shared/time.ts';
import { toView } from '#domain/product/view.ts';
import { added, offeredAfter, oudSaffronMajlis } from '#domain/testing/products.ts';
import { everythingIsInView } from '../../testing/in-view.ts';
import { answerCalls, renderPart, type Answer, type Call } from '../../testing/shop.tsx';
// The list is loaded before the first test, since on a busy machine that takes longer than a query waits.
import './ReviewList.tsx';
import { ProductReviews } from './ProductReviews.tsx';
import type { Own } from './reviews-api.ts';

const product = { ...toView(oudSaffronMajlis, offeredAfter(added())), average: 4.98 };
const REVIEWS = `/product/${oudSaffronMajlis}/reviews`;
const review = (id: string, changes: Partial<ReviewView> = {}): ReviewView => ({
  _id: id as ReviewId,
  rating: 4,
  text: 'Warm\nand dry',
  name: 'Zoya',
  at: instant('2026-11-18T08:00:00.000Z'),
  verified: true,
  ...changes,
});
const buyer: Own = { mayWrite: true, boughtAt: instant('2026-10-17T08:00:00.000Z'), review: null };

type Opening = {
  readonly path?: string;
  readonly reviews?: readonly ReviewView[];
  readonly instead?: (call: Call) => Answer | undefined;
};

const open = (own: Own, { path = '/', reviews = [review('1')], instead }: Opening = {}) => {
  const onChanged = vi.fn();
  everythingIsInView();
  const shop = { own };
  const asked = answerCalls((call) => {
    const other = instead?.(call);
    if (other) return other;
    if (call.url === `${REVIEWS}/mine`) return { data: shop.own };
    if (call.body !== undefined || call.url !== REVIEWS) return { status: 201, data: review('9') };
    const rows = call.params['cursor'] === undefined ? reviews : [review('2', { name: 'Kabir', text: '' })];
    return { data: { reviews: rows, average: 4.98, count: 414, nextCursor: call.params['cursor'] === undefined ? '7' : null } };
  });
  renderPart(<ProductReviews product={product} isSignedIn onChanged={onChanged} />, path);
  return { asked, onChanged, shop };
};
const box = () => screen.findByRole('group', { name: 'Your review' });

test('the reviews show average and count, and more of them when asked', async () => {
  open({ mayWrite: false, boughtAt: null, review: null });
  const region = within(await screen.findByRole('region', { name: 'Reviews' }));
  expect(await region.findByText('Zoya')).toBeInstanceOf(HTMLElement);
  for (const text of ['4.98', 'from 412 reviews', '18 Nov 2026', 'Bought here']) expect(region.getByText(text)).toBeInstanceOf(HTMLElement);
  await userEvent.click(region.getByRole('button', { name: 'More reviews' }));
  expect(await region.findByText('Kabir')).toBeInstanceOf(HTMLElement);
  expect(region.queryByRole('button', { name: 'More reviews' })).toBeNull();
  expect(screen.queryByRole('group', { name: 'Your review' })).toBeNull();
});

test('a buyer writes a review, for which the stars are required', async () => {
  const { asked, onChanged, shop } = open(buyer, { path: '/#write-review' });
  const form = within(await box());
  await waitFor(async () => expect(document.activeElement).toBe(await box()));
  expect(form.getByText('Bought on 17 Oct 2026. Your first name stands beside it.')).toBeInstanceOf(HTMLElement);
  await userEvent.click(form.getByRole('button', { name: 'Post review' }));
  expect(await form.findByText('Please choose a number of stars')).toBeInstanceOf(HTMLElement);
  await userEvent.click(form.getByRole('radio', { name: '4 of 5 stars' }));
  await userEvent.type(form.getByRole('textbox', { name: /In your words/ }), 'Warm');
  shop.own = { mayWrite: false, boughtAt: null, review: { ...review('9'), isHidden: false } };
  await userEvent.click(form.getByRole('button', { name: 'Post review' }));
  await waitFor(() =>
    expect(asked.find(({ body }) => body !== undefined)).toMatchObject({ url: REVIEWS, body: { rating: 4, text: 'Warm' } }),
  );
  expect(await form.findByText('Thank you. Your review is on the page.')).toBeInstanceOf(HTMLElement);
  expect(await form.findByRole('button', { name: 'Change' })).toBeInstanceOf(HTMLElement);
  expect(onChanged).toHaveBeenCalledOnce();
  expect(document.activeElement).toBe(await box());
});

test('an author changes and withdraws their review, but does not change a hidden one', async () => {
  const { asked, shop } = open({ mayWrite: false, boughtAt: null, review: { ...review('9'), isHidden: false } });
  const own = within(await box());
  await userEvent.click(own.getByRole('button', { name: 'Change' }));
  expect(own.getByRole('radio', { name: '4 of 5 stars' })).toHaveProperty('checked', true);
  await userEvent.click(own.getByRole('radio', { name: '2 of 5 stars' }));
  await userEvent.click(own.getByRole('button', { name: 'Save review' }));
  await waitFor(() => expect(asked.find(({ body }) => body !== undefined)).toMatchObject({ url: `${REVIEWS}/9`, body: { rating: 2 } }));
  shop.own = { ...shop.own, review: { ...review('9'), isHidden: true } };
  await userEvent.click(await own.findByRole('button', { name: 'Withdraw' }));
  expect(await own.findByText(/We have hidden it/)).toBeInstanceOf(HTMLElement);
  expect(own.queryByRole('button', { name: 'Change' })).toBeNull();
});

test('a refusal is told, and what was typed stays', async () => {
  const message = 'We have hidden this review, so it cannot be changed or written anew';
  open(buyer, { instead: ({ body }) => (body === undefined ? undefined : { status: 409, data: { message } }) });
  const form = within(await box());
  await userEvent.click(form.getByRole('radio', { name: '5 of 5 stars' }));
  await userEvent.click(form.getByRole('button', { name: 'Post review' }));
  expect((await form.findByRole('alert')).textContent).toContain(message);
  expect(form.getByRole('radio', { name: '5 of 5 stars' })).toHaveProperty('checked', true);
});
