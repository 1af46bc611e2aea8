import { createApi } from '@reduxjs/toolkit/query/react';
import { api } from './api.ts';
import { axiosBaseQuery, CACHE_SECONDS } from './base-query.ts';

/**
 * The calls of the shop's pages that are of one shopper. Features inject their endpoints where they are needed, so that other pages do not
 * load them. Reset when another shopper enters.
 */
export const shopApi = createApi({
  reducerPath: 'calls',
  baseQuery: axiosBaseQuery(api),
  keepUnusedDataFor: CACHE_SECONDS,
  endpoints: () => ({}),
});
