import { isLost } from '../event-store.ts';
import type { Instant } from '../shared/time.ts';
import type { Rating } from './events.ts';
import type { ExistingReview, ReviewId } from './review.ts';

/** The view is JSON for everybody. After an erasure the name reads `erased`, and the text is gone. */
export type ReviewView = {
  readonly _id: ReviewId;
  readonly rating: Rating;
  readonly text: string;
  /** The first name. */
  readonly name: string;
  readonly at: Instant;
  /** All reviews are by buyers. */
  readonly verified: true;
};

export type ShownReview = Pick<ExistingReview, 'rating' | 'text' | 'name' | 'writtenAt'>;

export const viewReview = (_id: ReviewId, { rating, text, name, writtenAt: at }: ShownReview): ReviewView => ({
  _id,
  rating,
  text: isLost(text) ? '' : text,
  name,
  at,
  verified: true,
});
