import type { ProductId, ShopperId } from '../shared/ids.ts';
import type { PersonalText } from '../shared/text.ts';
import type { Instant } from '../shared/time.ts';

export const ratings = [1, 2, 3, 4, 5] as const;
export type Rating = (typeof ratings)[number];

/** Each event names the perfume and the author, because the stream's id is a hash of both. */
type OfReview = { product: ProductId; author: ShopperId };

/**
 * Each `PersonalText` is encrypted with the key of the `author`. It is empty if there is no text.
 *
 * Events are stored for ever: a field may be added as optional, but never renamed or retyped.
 */
export type ReviewEvent =
  /** `name` is the author's first name at that time. The event occurs again when a withdrawn review is written anew. */
  | { type: 'ReviewWritten'; data: OfReview & { name: PersonalText; rating: Rating; text: PersonalText; writtenAt: Instant } }
  | { type: 'ReviewRevised'; data: OfReview & { rating: Rating; text: PersonalText; revisedAt: Instant } }
  | { type: 'ReviewWithdrawn'; data: OfReview & { withdrawnAt: Instant } }
  /** Staff took the review off the page for this reason. */
  | { type: 'ReviewHidden'; data: OfReview & { reason: PersonalText; hiddenAt: Instant } }
  | { type: 'ReviewShown'; data: OfReview & { shownAt: Instant } };
