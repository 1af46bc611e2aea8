import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { AxiosRequestConfig } from 'axios';
import type { FirstCall } from '#domain/site/pages.ts';
import { toCallError, type Api, type CallError } from './api.ts';
import { FirstAnswers, takeFirstAnswer, type CallMeta } from './first-answers.ts';

/** RTK Query keeps an answer this many seconds after the last component that used it has gone. */
export const CACHE_SECONDS = 60;

/** A call of a component is a GET unless `method` says otherwise. Flows of several calls are sagas. */
export type Call = Pick<AxiosRequestConfig, 'method' | 'data' | 'headers' | 'responseType'> & {
  readonly url: string;
  readonly params?: FirstCall['params'];
  readonly fallback?: string;
};

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

const createMeta = (headers: Readonly<Record<string, unknown>>): CallMeta => {
  const total = text(headers['x-total-count']);
  return { totalCount: total === undefined ? undefined : Number(total), link: text(headers['link']) };
};

/**
 * A base query for RTK Query over `Api`. A GET is not sent if its answer came with the document or, on the server, with the store. A query
 * that no component waits for is aborted.
 */
export const axiosBaseQuery =
  (api: Pick<Api, 'request'>, firstAnswer = takeFirstAnswer): BaseQueryFn<Call, unknown, CallError, object, CallMeta> =>
  async ({ fallback, ...call }, { signal, extra, type }) => {
    const { url, params = {} } = call;
    const first = type === 'query' && (extra instanceof FirstAnswers ? extra.take({ url, params }) : firstAnswer({ url, params }));
    if (first) return first;
    try {
      const { data, headers } = await api.request<unknown>({ ...call, signal });
      return { data, meta: createMeta(headers) };
    } catch (error) {
      return { error: toCallError(error, fallback) };
    }
  };

export const getMessageText = ({ message }: { readonly message: string }): string => message;
