import type { ProductDetails } from './events.ts';

/** The reviews of buyers that are shown: how many, and the sum of their ratings. */
export type RatingSum = { readonly count: number; readonly sum: number };
export const NO_RATINGS: RatingSum = { count: 0, sum: 0 };

type Rated = Pick<ProductDetails, 'ratingStar' | 'reviewsCount'>;

/** `average` has two decimals, `ratingStar` is the same to the half. */
export type JointRating = Rated & { readonly average: number };

/**
 * Joins the rating that the catalogue gives a product, of `reviewsCount` reviews from before this shop, with those of buyers. Whole numbers
 * are divided once, so that halves are rounded up exactly.
 */
export const joinRatings = ({ ratingStar, reviewsCount }: Rated, { count, sum }: RatingSum): JointRating => {
  const all = reviewsCount + count;
  const half = ratingStar * 2 * reviewsCount + sum * 2;
  if (count === 0) return { ratingStar, reviewsCount, average: ratingStar };
  return { ratingStar: Math.round(half / all) / 2, reviewsCount: all, average: Math.round((half * 50) / all) / 100 };
};
