import { createApi } from '@reduxjs/toolkit/query/react';
import { productOf, STEP } from '#domain/first-calls.ts';
import type { ProductView } from '#domain/product/view.ts';
import { api } from '../../lib/http/api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';

/** `GET /product` as the API takes it: categories as a comma list, prices in whole rupees, both ends included. */
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

/** Part of a listing, in the server's order. */
export type ProductPage = {
  readonly products: readonly ProductView[];
  /** In the whole listing. */
  readonly total: number;
  /** Where the next part begins; undefined after the last. */
  readonly next: string | undefined;
};

/** Where a part begins and how long it is. */
type PageStart = { readonly limit: number; readonly cursor?: string };

export const catalogueApi = createApi({
  reducerPath: 'catalogue',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  endpoints: (build) => ({
    /** A short list, whole: featured, bestsellers, related, matches of a search. */
    products: build.query<readonly ProductView[], ProductQuery>({ query: (params) => ({ url: '/product', params }) }),

    /** A listing of any length, part after part. */
    productPages: build.infiniteQuery<ProductPage, ProductQuery, PageStart>({
      query: ({ queryArg, pageParam }) => ({ url: '/product', params: { ...queryArg, ...pageParam } }),
      transformResponse: (products: readonly ProductView[], meta): ProductPage => ({
        products,
        total: meta?.totalCount ?? products.length,
        next: nextCursor(meta?.link),
      }),
      infiniteQueryOptions: {
        initialPageParam: { limit: STEP },
        getNextPageParam: ({ next }) => (next === undefined ? undefined : { limit: STEP, cursor: next }),
      },
    }),

    /** How many products a query finds. */
    productCount: build.query<number, ProductQuery>({
      query: (params) => ({ url: '/product', params: { ...params, limit: 1 } }),
      transformResponse: (products: readonly ProductView[], meta): number => meta?.totalCount ?? products.length,
    }),

    product: build.query<ProductView, string>({ query: productOf }),
  }),
});

export const { useProductsQuery, useProductPagesInfiniteQuery, useProductCountQuery, useProductQuery, usePrefetch } = catalogueApi;

/** More matches than anybody scrolls through under a search box. */
const MOST = 50;

type ProductSearch = { readonly products: readonly ProductView[]; readonly loading: boolean; readonly failed: boolean };

/** The products whose name contains the text, by the server, which also finds the nearest names; an empty text finds nothing. */
export const useProductSearch = (text: string): ProductSearch => {
  const { currentData = [], isFetching, isError } = useProductsQuery({ q: text, limit: MOST }, { skip: text === '' });
  return { products: currentData, loading: isFetching, failed: isError && !isFetching };
};
