import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { AxiosRequestConfig } from 'axios';
import type { FirstCall } from '#domain/site/pages.ts';
import { callErrorOf, type Api, type CallError } from './api.ts';
import { FirstAnswers, takeFirstAnswer, type CallMeta } from './first-answers.ts';

/** How long RTK Query keeps an answer that no component uses. */
export const CACHE_SECONDS = 60;

/** A call of a component: a GET unless `method` says otherwise. Flows of several calls are sagas. */
export type Call = Pick<AxiosRequestConfig, 'method' | 'data' | 'headers' | 'responseType'> & {
  readonly url: string;
  readonly params?: FirstCall['params'];
  /** The message for failures without one. */
  readonly fallback?: string;
};

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

const metaOf = (headers: Readonly<Record<string, unknown>>): CallMeta => {
  const total = text(headers['x-total-count']);
  return { totalCount: total === undefined ? undefined : Number(total), link: text(headers['link']) };
};

/**
 * A base query for RTK Query over `Api`. Answers that came with the document (or, on the server, with the store) are used instead of a
 * GET. A query that no component waits for is aborted.
 */
export const axiosBaseQuery =
  (api: Pick<Api, 'request'>, firstAnswer = takeFirstAnswer): BaseQueryFn<Call, unknown, CallError, object, CallMeta> =>
  async ({ fallback, ...call }, { signal, extra, type }) => {
    const { url, params = {} } = call;
    const first = type === 'query' && (extra instanceof FirstAnswers ? extra.take({ url, params }) : firstAnswer({ url, params }));
    if (first) return first;
    try {
      const { data, headers } = await api.request<unknown>({ ...call, signal });
      return { data, meta: metaOf(headers) };
    } catch (error) {
      return { error: callErrorOf(error, fallback) };
    }
  };

/** For a call whose answer is a message to show. */
export const messageIn = ({ message }: { readonly message: string }): string => message;
