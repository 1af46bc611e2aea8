import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import { uuidFromHash, type Brand, type ProductId, type ShopperId } from '../shared/ids.ts';
import { personalText, type PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';
import type { Rating, ReviewEvent } from './events.ts';

/** The id is a UUID. */
export type ReviewId = Brand<string, 'ReviewId'>;

/** One buyer and one perfume have one review, because they have one stream. `hash` returns at least 32 hex digits. */
export const deriveReviewId = (product: ProductId, author: ShopperId, hash: (text: string) => string): ReviewId =>
  uuidFromHash(hash(`review of ${product} by ${author}`)) as ReviewId;

export const reviewStream = (id: ReviewId): StreamName => `review-${id}`;

/** Texts have at most this many characters. */
export const LONGEST_REVIEW = 2_000;

export type ExistingReview = {
  readonly status: 'written' | 'withdrawn';
  readonly product: ProductId;
  readonly author: ShopperId;
  readonly name: PersonalText;
  readonly rating: Rating;
  readonly text: PersonalText;
  readonly writtenAt: Instant;
  /** Null while staff have not hidden the review. */
  readonly hidden: { readonly reason: PersonalText; readonly at: Instant } | null;
};
export type Review = { readonly status: 'none' } | ExistingReview;

export const isShown = ({ status, hidden }: Pick<ExistingReview, 'status' | 'hidden'>): boolean => status === 'written' && hidden === null;

type Words = { readonly rating: Rating; readonly text: string };
type ByAuthor = { readonly product: ProductId; readonly by: ShopperId; readonly now: Instant };

export type WriteReview = ByAuthor &
  Words & {
    readonly type: 'WriteReview';
    /** The account's name; the review shows its first word. */
    readonly name: string;
    /** The value is true if an order of the author with the perfume is delivered. */
    readonly isBuyer: boolean;
  };
export type ReviseReview = ByAuthor & Words & { readonly type: 'ReviseReview' };
export type WithdrawReview = ByAuthor & { readonly type: 'WithdrawReview' };
/** These commands are sent by staff: the route has checked their permission. */
export type HideReview = { readonly type: 'HideReview'; readonly reason: string; readonly now: Instant };
export type ShowReview = { readonly type: 'ShowReview'; readonly now: Instant };

export type ReviewCommand = WriteReview | ReviseReview | WithdrawReview | HideReview | ShowReview;

export type ReviewRejection =
  /** This is also the answer about a review of somebody else that is not on the page. */
  | { readonly code: 'review_not_found' }
  | { readonly code: 'not_a_buyer' }
  | { readonly code: 'review_exists' }
  /** Staff have hidden it: its author may withdraw it, but neither change it nor write it anew. */
  | { readonly code: 'review_hidden' }
  | { readonly code: 'not_your_review' };

type Decided = Decision<ReviewEvent, ReviewRejection>;

const firstWord = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

const writeReview = (review: Review, { product, by: author, name, rating, text, isBuyer, now }: WriteReview): Decided => {
  if (review.status !== 'none' && review.hidden) return reject({ code: 'review_hidden' });
  if (review.status === 'written') return reject({ code: 'review_exists' });
  if (!isBuyer) return reject({ code: 'not_a_buyer' });
  const words = { name: personalText(firstWord(name)), rating, text: personalText(text) };
  return accept({ type: 'ReviewWritten', data: { product, author, ...words, writtenAt: now } });
};

/** Decides about a review for its author alone. */
const asAuthor = (review: Review, { product, by }: ByAuthor, decideOn: (own: ExistingReview) => Decided): Decided => {
  if (review.status === 'none' || review.product !== product) return reject({ code: 'review_not_found' });
  if (review.author === by) return decideOn(review);
  return reject({ code: isShown(review) ? 'not_your_review' : 'review_not_found' });
};

const reviseReview = (review: Review, command: ReviseReview): Decided =>
  asAuthor(review, command, (own) => {
    if (own.status === 'withdrawn') return reject({ code: 'review_not_found' });
    if (own.hidden) return reject({ code: 'review_hidden' });
    const { rating, now: revisedAt } = command;
    const text = personalText(command.text);
    if (rating === own.rating && text === own.text) return accept();
    return accept({ type: 'ReviewRevised', data: { product: own.product, author: own.author, rating, text, revisedAt } });
  });

const withdrawReview = (review: Review, command: WithdrawReview): Decided =>
  asAuthor(review, command, ({ status, product, author }) =>
    status === 'withdrawn' ? accept() : accept({ type: 'ReviewWithdrawn', data: { product, author, withdrawnAt: command.now } }),
  );

const moderate = (review: Review, command: HideReview | ShowReview): Decided => {
  if (review.status !== 'written') return reject({ code: 'review_not_found' });
  const { product, author, hidden } = review;
  if ((hidden !== null) === (command.type === 'HideReview')) return accept();
  return command.type === 'HideReview'
    ? accept({ type: 'ReviewHidden', data: { product, author, reason: personalText(command.reason), hiddenAt: command.now } })
    : accept({ type: 'ReviewShown', data: { product, author, shownAt: command.now } });
};

const decide = (review: Review, command: ReviewCommand): Decided => {
  switch (command.type) {
    case 'WriteReview':
      return writeReview(review, command);
    case 'ReviseReview':
      return reviseReview(review, command);
    case 'WithdrawReview':
      return withdrawReview(review, command);
    case 'HideReview':
    case 'ShowReview':
      return moderate(review, command);
  }
};

const evolve = (review: Review, event: ReviewEvent): Review => {
  if (event.type === 'ReviewWritten') return { status: 'written', ...event.data, hidden: null };
  if (review.status === 'none') return review;
  switch (event.type) {
    case 'ReviewRevised':
      return { ...review, rating: event.data.rating, text: event.data.text };
    case 'ReviewWithdrawn':
      return { ...review, status: 'withdrawn' };
    case 'ReviewHidden':
      return { ...review, hidden: { reason: event.data.reason, at: event.data.hiddenAt } };
    case 'ReviewShown':
      return { ...review, hidden: null };
    default:
      return afterUnknown(event, review);
  }
};

/** What a buyer wrote about a perfume. Its stream is `review-<id>` (see `deriveReviewId`). */
export const review: Decider<Review, ReviewCommand, ReviewEvent, ReviewRejection> = { initial: { status: 'none' }, decide, evolve };
