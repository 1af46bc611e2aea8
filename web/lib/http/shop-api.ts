import { createApi } from '@reduxjs/toolkit/query/react';
import { api } from './api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from './base-query.ts';

/**
 * Calls whose answers belong to one shopper; they are reset when another shopper signs in. Features inject their endpoints where they are
 * needed, so that other pages do not load them.
 */
export const shopApi = createApi({
  reducerPath: 'calls',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  endpoints: () => ({}),
});
