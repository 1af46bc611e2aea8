import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { FirstCall } from '#domain/first-calls.ts';
import { messageOf, statusOf, type Api } from './api.ts';
import { FirstAnswers, takeFirstAnswer, type CallError, type CallMeta } from './first-answers.ts';

/** Cached product answers are kept 60 seconds after their last use (specification, section 7). */
export const CACHE_SECONDS = 60;

/** A question: what changes something is a saga's. */
type Call = { readonly url: string; readonly params?: FirstCall['params'] };

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

const metaOf = (headers: Readonly<Record<string, unknown>>): CallMeta => {
  const total = text(headers['x-total-count']);
  return { totalCount: total === undefined ? undefined : Number(total), link: text(headers['link']) };
};

/** What an endpoint may say of itself: the sentence for a failure of which the server said nothing. */
export type EndpointOptions = { readonly fallback?: string };

/**
 * RTK Query over the shop's one way to call. What came with the page, or was handed to the store, is not asked
 * for; a query that nobody waits for any more is aborted.
 */
export const axiosBaseQuery =
  (api: Pick<Api, 'request'>, firstAnswer = takeFirstAnswer): BaseQueryFn<Call, unknown, CallError, EndpointOptions, CallMeta> =>
  async ({ url, params = {} }, { signal, extra }, { fallback } = {}) => {
    const call = { url, params };
    const first = extra instanceof FirstAnswers ? extra.take(call) : firstAnswer(call);
    if (first) return first;
    try {
      const { data, headers } = await api.request<unknown>({ url, params, signal });
      return { data, meta: metaOf(headers) };
    } catch (error) {
      return { error: { status: statusOf(error), message: messageOf(error, fallback) } };
    }
  };
