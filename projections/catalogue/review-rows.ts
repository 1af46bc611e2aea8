import type { LogPosition, Recorded } from '#domain/event-store.ts';
import type { Rating, ReviewEvent } from '#domain/review/events.ts';
import type { ReviewId } from '#domain/review/review.ts';
import type { ProductId, ShopperId } from '#domain/shared/ids.ts';
import { NO_TEXT, type PersonalText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import { rowsTable, streamId } from '../engine/define-projector.ts';

/** The row has a review, shown or not. A row that is not shown counts in no rating. */
export type ReviewRow = {
  review_id: ReviewId;
  product_id: ProductId;
  author: ShopperId;
  name: PersonalText;
  rating: Rating;
  text: PersonalText;
  written_at: Instant;
  is_withdrawn: boolean;
  /** Staff hid the review; the three are empty if it is not hidden. */
  hidden_at: Instant | null;
  hidden_by: string | null;
  reason: PersonalText;
  /** The position at which the review was written, by which reviews are listed. */
  written: LogPosition;
  /** The position is that of the last event of the review. */
  position: LogPosition;
};

export const reviewsTable = rowsTable<ReviewRow>({
  key: 'review_id',
  columns: {
    review_id: 'text',
    product_id: 'text',
    author: 'text',
    name: 'text',
    rating: 'integer',
    text: 'text',
    written_at: 'instant',
    is_withdrawn: 'boolean',
    hidden_at: 'instant',
    hidden_by: 'text',
    reason: 'text',
    written: 'position',
    position: 'position',
  },
  indexes: ['(product_id, written desc)', '(written desc)', '(author)', '(position)'],
  category: 'review',
});

const NOT_HIDDEN = { hidden_at: null, hidden_by: null, reason: NO_TEXT };

/** Returns the row after an event, from the previous row. Throws when the review was never written. */
export const reviewAfter = (event: Recorded<ReviewEvent>, before: ReviewRow | undefined): ReviewRow => {
  const { stream, position } = event;
  const change = (changes: Partial<ReviewRow>): ReviewRow => {
    if (!before) throw new Error(`${stream} was never written`);
    return { ...before, ...changes, position };
  };
  switch (event.type) {
    case 'ReviewWritten': {
      const { product: product_id, author, name, rating, text, writtenAt: written_at } = event.data;
      const review_id = streamId(stream) as ReviewId;
      const words = { review_id, product_id, author, name, rating, text, written_at };
      return { ...words, is_withdrawn: false, ...NOT_HIDDEN, written: position, position };
    }
    case 'ReviewRevised':
      return change({ rating: event.data.rating, text: event.data.text });
    case 'ReviewWithdrawn':
      return change({ is_withdrawn: true });
    case 'ReviewHidden':
      return change({ hidden_at: event.data.hiddenAt, hidden_by: event.metadata.actor.id, reason: event.data.reason });
    case 'ReviewShown':
      return change(NOT_HIDDEN);
  }
};
