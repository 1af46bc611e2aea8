import { Count } from '../Count.tsx';
import { useReviewCountsQuery } from './desk-reviews-api.ts';

/** How many reviews are new. */
export const ReviewsWaiting = () => <Count count={useReviewCountsQuery().data?.new} of="new" />;
