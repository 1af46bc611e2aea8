import { describe, expect, test } from 'vitest';

import { ERASED } from '../event-store.ts';
import { productId, shopperId } from '../shared/ids.ts';
import { personalText } from '../shared/text.ts';
import { instant } from '../shared/time.ts';
import { testDecisions } from '../testing/decisions.ts';
import { laterEvent } from '../testing/later-release.ts';
import type { Rating, ReviewEvent } from './events.ts';
import { deriveReviewId, review, type ReviewCommand, type ReviewId, type WriteReview } from './review.ts';
import { viewReview } from './view.ts';

const now = instant('2026-11-14T12:00:00.000Z');
const [product, other] = [productId('ruh-gulab'), productId('oud-royal')];
const [author, ravi] = [shopperId('meera'), shopperId('ravi')];
const of = { product, author };

const written = (rating: Rating = 5, text = 'Warm'): ReviewEvent => ({
  type: 'ReviewWritten',
  data: { ...of, name: personalText('Meera'), rating, text: personalText(text), writtenAt: now },
});
const withdrawn: ReviewEvent = { type: 'ReviewWithdrawn', data: { ...of, withdrawnAt: now } };
const hidden: ReviewEvent = { type: 'ReviewHidden', data: { ...of, reason: personalText('Advertises'), hiddenAt: now } };
const shown: ReviewEvent = { type: 'ReviewShown', data: { ...of, shownAt: now } };
const revised: ReviewEvent = { type: 'ReviewRevised', data: { ...of, rating: 4, text: personalText('Cool'), revisedAt: now } };

const write = (more: Partial<WriteReview> = {}): WriteReview => {
  return { type: 'WriteReview', product, by: author, name: ' Meera  Nair', rating: 5, text: 'Warm', isBuyer: true, now, ...more };
};
const revise = (by = author, of = product): ReviewCommand => ({ type: 'ReviseReview', product: of, by, rating: 4, text: 'Cool', now });
const withdraw = (by = author): ReviewCommand => ({ type: 'WithdrawReview', product, by, now });
const hide: ReviewCommand = { type: 'HideReview', reason: 'Advertises', now };
const show: ReviewCommand = { type: 'ShowReview', now };

describe('a review', () =>
  testDecisions(review, [
    ['is written by a buyer, with the first name', [], write(), [written()]],
    ['is not written by somebody else', [], write({ isBuyer: false }), { code: 'not_a_buyer' }],
    ['is written once', [written()], write(), { code: 'review_exists' }],
    ['is written anew once it is withdrawn', [written(), withdrawn], write(), [written()]],
    ['is not written anew once it is hidden', [written(), hidden], write(), { code: 'review_hidden' }],
    ['is not written anew once it is hidden and withdrawn', [written(), hidden, withdrawn], write(), { code: 'review_hidden' }],
    ['is changed by its author', [written()], revise(), [revised]],
    ['is unchanged by the same words', [written(), revised], revise(), []],
    ['is not changed by another', [written()], revise(ravi), { code: 'not_your_review' }],
    ['that is hidden does not exist for another', [written(), hidden], revise(ravi), { code: 'review_not_found' }],
    ['that is hidden is not changed', [written(), hidden], revise(), { code: 'review_hidden' }],
    ['that is withdrawn is not changed', [written(), withdrawn], revise(), { code: 'review_not_found' }],
    ['of another perfume does not exist', [written()], revise(author, other), { code: 'review_not_found' }],
    ['that nobody wrote does not exist', [], withdraw(), { code: 'review_not_found' }],
    ['is withdrawn by its author', [written()], withdraw(), [withdrawn]],
    ['is withdrawn once', [written(), withdrawn], withdraw(), []],
    ['that is hidden can be withdrawn', [written(), hidden], withdraw(), [withdrawn]],
    ['is not withdrawn by another', [written()], withdraw(ravi), { code: 'not_your_review' }],
    ['is hidden', [written()], hide, [hidden]],
    ['is hidden once', [written(), hidden], hide, []],
    ['is shown again', [written(), hidden], show, [shown]],
    ['is shown once', [written(), hidden, shown], show, []],
    ['that is withdrawn is not hidden', [written(), withdrawn], hide, { code: 'review_not_found' }],
  ]));

test('an event of a later release changes nothing', () => {
  const state = review.evolve(review.initial, written());
  expect([review.evolve(state, laterEvent('ReviewPraised')), review.evolve(review.initial, hidden)]).toEqual([state, review.initial]);
});

test('one buyer and one perfume have one id', () => {
  const hash = (text: string): string => Buffer.from(text).toString('hex').slice(-40);
  expect(deriveReviewId(product, author, hash)).toBe(deriveReviewId(product, author, hash));
  expect(deriveReviewId(product, ravi, hash)).not.toBe(deriveReviewId(product, author, hash));
});

test('after an erasure the name reads erased and the text is gone', () =>
  expect(viewReview('r' as ReviewId, { rating: 4, name: ERASED, text: ERASED, writtenAt: now })).toEqual({
    _id: 'r',
    rating: 4,
    name: 'erased',
    text: '',
    at: now,
    verified: true,
  }));
