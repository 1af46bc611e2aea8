import { sql, type Kysely } from 'kysely';

import type { ProductId, ShopperId } from '#domain/shared/ids.ts';
import { personalText } from '#domain/shared/text.ts';
import type { Instant } from '#domain/shared/time.ts';

import type { ReadModels } from '../database.ts';
import { containing } from '../storage/prepare.ts';
import type { ReviewRow } from './review-rows.ts';

/** Reviews are listed by the position at which they were written, the newest first: at most `limit` below `before`. */
export type ReviewsBelow = { readonly limit: number; readonly before?: string | undefined };

/** `new` has what was written since `newSince` and is shown. Withdrawn reviews are in no list. */
export const reviewLists = ['new', 'hidden'] as const;
export type ReviewList = (typeof reviewLists)[number];

export type DeskReviewQuery = ReviewsBelow & {
  readonly list?: ReviewList | undefined;
  /** A part of the perfume's name, of the first name or of the review. */
  readonly text?: string | undefined;
  readonly newSince: Instant;
};

export type ReviewCounts = { readonly all: number } & { readonly [List in ReviewList]: number };

/** Each query throws database errors. */
export const reviewQueries = (db: Kysely<ReadModels>) => {
  const below = ({ limit, before }: ReviewsBelow) => {
    const query = db.selectFrom('reviews').selectAll('reviews').orderBy('written', 'desc').limit(limit);
    // The position is text, because it may be above the integers that JavaScript has.
    return before === undefined ? query : query.where('written', '<', sql<ReviewRow['written']>`${before}::numeric`);
  };
  const isNew = (newSince: Instant) => sql<boolean>`hidden_at is null and written_at >= ${newSince}`;

  return {
    ofProduct: (product: ProductId, part: ReviewsBelow): Promise<readonly ReviewRow[]> =>
      below(part).where('product_id', '=', product).where('is_withdrawn', '=', false).where('hidden_at', 'is', null).execute(),

    /** Returns all reviews of an author, also hidden and withdrawn ones. */
    byAuthor: (author: ShopperId, part: ReviewsBelow): Promise<readonly ReviewRow[]> => below(part).where('author', '=', author).execute(),

    forDesk: ({ list, text, newSince, ...part }: DeskReviewQuery): Promise<readonly ReviewRow[]> =>
      below(part)
        .innerJoin('catalogue', 'catalogue.product_id', 'reviews.product_id')
        .where('is_withdrawn', '=', false)
        .$if(list === 'hidden', (query) => query.where('hidden_at', 'is not', null))
        .$if(list === 'new', (query) => query.where(isNew(newSince)))
        .$if(text !== undefined, (query) =>
          query.where(({ or, eb }) => {
            const part = personalText(containing(text ?? ''));
            return or([eb('catalogue.name', 'ilike', part), eb('reviews.name', 'ilike', part), eb('reviews.text', 'ilike', part)]);
          }),
        )
        .execute(),

    counts: (newSince: Instant): Promise<ReviewCounts> =>
      db
        .selectFrom('reviews')
        .select(({ fn }) => [
          fn.countAll<number>().as('all'),
          fn.countAll<number>().filterWhere(isNew(newSince)).as('new'),
          fn.countAll<number>().filterWhere('hidden_at', 'is not', null).as('hidden'),
        ])
        .where('is_withdrawn', '=', false)
        .executeTakeFirstOrThrow(),
  };
};
