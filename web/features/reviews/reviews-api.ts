import type { Rating } from '#domain/review/events.ts';
import type { ReviewView } from '#domain/review/view.ts';
import type { Instant } from '#domain/shared/time.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import type { ListPage, PageStart } from '../../lib/paged-list.ts';

/** `isHidden` means that staff have hidden it: it can be withdrawn only. */
export type OwnReview = ReviewView & { readonly isHidden: boolean };

/** What the signed-in shopper may do, when they bought the perfume, and what they wrote. */
export type Own = { readonly mayWrite: boolean; readonly boughtAt: Instant | null; readonly review: OwnReview | null };

export type Words = { readonly rating: Rating; readonly text: string };

const PAGE = 4;
const pathTo = (product: string, rest = ''): string => `/product/${encodeURIComponent(product)}/reviews${rest}`;

export const reviewsApi = shopApi.enhanceEndpoints({ addTagTypes: ['Reviews'] }).injectEndpoints({
  endpoints: (build) => ({
    reviews: build.infiniteQuery<ListPage<ReviewView>, string, PageStart>({
      query: ({ queryArg, pageParam }) => ({
        url: pathTo(queryArg),
        params: { ...pageParam },
        fallback: 'The reviews could not be loaded. Check your connection.',
      }),
      transformResponse: (answer: {
        readonly reviews: readonly ReviewView[];
        readonly count: number;
        readonly nextCursor: string | null;
      }) => ({ rows: answer.reviews, next: answer.nextCursor ?? undefined, total: answer.count }),
      infiniteQueryOptions: {
        initialPageParam: { limit: PAGE },
        getNextPageParam: ({ next }) => (next === undefined ? undefined : { limit: 5 * PAGE, cursor: next }),
      },
      providesTags: ['Reviews'],
    }),
    ownReview: build.query<Own, string>({ query: (product) => ({ url: pathTo(product, '/mine') }), providesTags: ['Reviews'] }),
    /** Writes a review, or changes the one with this id. A refusal may mean that the page is outdated. */
    saveReview: build.mutation<ReviewView, Words & { readonly product: string; readonly id: string | undefined }>({
      query: ({ product, id, ...data }) => ({
        url: pathTo(product, id === undefined ? '' : `/${id}`),
        method: id === undefined ? 'POST' : 'PUT',
        data,
        fallback: 'Your review could not be saved. Please try again.',
      }),
      invalidatesTags: ['Reviews'],
    }),
    withdrawReview: build.mutation<void, { readonly product: string; readonly id: string }>({
      query: ({ product, id }) => ({
        url: pathTo(product, `/${id}`),
        method: 'DELETE',
        fallback: 'Your review could not be withdrawn. Please try again.',
      }),
      invalidatesTags: ['Reviews'],
    }),
  }),
});

export const { useReviewsInfiniteQuery, useOwnReviewQuery, useSaveReviewMutation, useWithdrawReviewMutation } = reviewsApi;
