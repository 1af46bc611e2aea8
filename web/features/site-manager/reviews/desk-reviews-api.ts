import type { ReviewView } from '#domain/review/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import type { Instant } from '#domain/shared/time.ts';
import { pagedBy, type ListPage, type PageStart } from '../../../lib/paged-list.ts';
import { adminApi, type Cursored, ROWS, toPage } from '../admin-api.ts';

export type ReviewList = 'new' | 'hidden';
export type ReviewCounts = Readonly<Record<ReviewList | 'all', number>>;

/** A row of `GET /admin/reviews`. `reason` says why it is hidden. */
export type DeskReview = ReviewView & {
  readonly product: { readonly _id: ProductId; readonly name: string; readonly picture: string };
  readonly isNew: boolean;
  readonly hidden: boolean;
  readonly reason: string;
  readonly hiddenAt: Instant | null;
  readonly hiddenBy: string | null;
};

type Answer = Cursored<'reviews', DeskReview> & { readonly counts: ReviewCounts };

export const deskReviewsApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    deskReviews: build.infiniteQuery<ListPage<DeskReview>, { readonly list?: ReviewList; readonly q?: string }, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        fallback: 'The reviews could not be loaded. Check your connection.',
        url: '/admin/reviews',
        params: { ...queryArg, ...pageParam },
      }),
      transformResponse: (answer: Answer) => toPage(answer, answer.reviews),
      infiniteQueryOptions: pagedBy(ROWS),
      providesTags: ['Reviews'],
    }),

    reviewCounts: build.query<ReviewCounts, void>({
      query: () => ({ url: '/admin/reviews', params: { limit: 1 } }),
      transformResponse: ({ counts }: Answer) => counts,
      providesTags: ['Reviews'],
    }),

    /** Hiding takes a reason. */
    moderateReview: build.mutation<DeskReview, { readonly id: string; readonly hidden: boolean; readonly reason?: string }>({
      query: ({ id, ...data }) => ({
        url: `/admin/reviews/${id}`,
        method: 'PUT',
        data,
        fallback: 'The review could not be changed. Please try again.',
      }),
      invalidatesTags: ['Reviews', 'Products'],
    }),
  }),
});

export const { useDeskReviewsInfiniteQuery, useReviewCountsQuery, useModerateReviewMutation } = deskReviewsApi;
