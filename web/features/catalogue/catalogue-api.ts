import { createApi } from '@reduxjs/toolkit/query/react';
import { productCall, LISTING_PAGE_SIZE } from '#domain/site/pages.ts';
import type { ProductPageView, ProductView } from '#domain/product/view.ts';
import { api } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import type { PageStart, ListPage } from '../../lib/paged-list.ts';

/** The parameters of `GET /product`. Categories are comma-separated; prices are whole rupees, both ends included. */
export type ProductQuery = {
  readonly isFeatured?: true;
  readonly bestsellers?: true;
  readonly category?: string;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly q?: string;
  readonly sort?: string;
  readonly limit?: number;
};

export const catalogueApi = createApi({
  reducerPath: 'catalogue',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  tagTypes: ['catalogue'],
  endpoints: (build) => ({
    /** Returns a short list in one answer: featured, bestsellers, related products or search matches. */
    products: build.query<readonly ProductView[], ProductQuery>({
      query: (params) => ({ url: '/product', params }),
      providesTags: ['catalogue'],
    }),

    productPages: build.infiniteQuery<ListPage<ProductView>, ProductQuery, PageStart>({
      query: ({ queryArg, pageParam }) => ({ url: '/product', params: { ...queryArg, ...pageParam } }),
      providesTags: ['catalogue'],
      transformResponse: (rows: readonly ProductView[], meta) => ({ rows, total: meta?.totalCount, next: nextCursor(meta?.link) }),
      infiniteQueryOptions: {
        initialPageParam: { limit: LISTING_PAGE_SIZE },
        getNextPageParam: ({ next }) => (next === undefined ? undefined : { limit: LISTING_PAGE_SIZE, cursor: next }),
      },
    }),

    productCount: build.query<number, ProductQuery>({
      query: (params) => ({ url: '/product', params: { ...params, limit: 1 } }),
      transformResponse: (products: readonly ProductView[], meta): number => meta?.totalCount ?? products.length,
    }),

    product: build.query<ProductPageView, string>({ query: productCall, providesTags: ['catalogue'] }),
  }),
});

/** Makes all catalogue queries that are shown fetch again. */
export const catalogueOutdated = () => catalogueApi.util.invalidateTags(['catalogue']);

export const { useProductsQuery, useProductPagesInfiniteQuery, useProductCountQuery, useProductQuery, usePrefetch } = catalogueApi;

/** Nobody scrolls through more matches in a search box. */
const MOST = 50;

type ProductSearch = { readonly products: readonly ProductView[]; readonly loading: boolean; readonly failed: boolean };

/** Searches names on the server, which also finds near misses. An empty text finds nothing. */
export const useProductSearch = (text: string): ProductSearch => {
  const { currentData = [], isFetching, isError } = useProductsQuery({ q: text, limit: MOST }, { skip: text === '' });
  return { products: currentData, loading: isFetching, failed: isError && !isFetching };
};
