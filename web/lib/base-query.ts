import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { messageOf, statusOf } from './api.ts';

/** Cached product answers are kept 60 seconds after their last use (specification, section 7). */
export const KEPT_SECONDS = 60;

type Call = Pick<AxiosRequestConfig, 'url' | 'method' | 'params' | 'data'>;

/** As it stands in the store: plain data, the server's sentence already found. `status` is undefined when no answer came. */
export type CallError = { readonly status: number | undefined; readonly message: string };

/** What a listing says beside its rows: how many there are in all, and where the next ones are. */
export type CallMeta = { readonly totalCount: number | undefined; readonly link: string | undefined };

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

const metaOf = (headers: Readonly<Record<string, unknown>>): CallMeta => {
  const total = text(headers['x-total-count']);
  return { totalCount: total === undefined ? undefined : Number(total), link: text(headers['link']) };
};

/** RTK Query over the shop's one axios instance. A query that nobody waits for any more is aborted. */
export const axiosBaseQuery =
  (api: AxiosInstance): BaseQueryFn<Call, unknown, CallError, object, CallMeta> =>
  async (call, { signal }) => {
    try {
      const { data, headers } = await api.request<unknown>({ ...call, signal });
      return { data, meta: metaOf(headers) };
    } catch (error) {
      return { error: { status: statusOf(error), message: messageOf(error) } };
    }
  };
