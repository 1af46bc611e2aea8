import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { FirstCall } from '#domain/site/first-calls.ts';
import { messageOf, statusOf, type Api } from './api.ts';
import { FirstAnswers, takeFirstAnswer, type CallError, type CallMeta } from './first-answers.ts';

/** How long RTK Query keeps an answer that no component uses. */
export const CACHE_SECONDS = 60;

/** A query. Commands are sent by sagas. */
type Call = { readonly url: string; readonly params?: FirstCall['params'] };

const text = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);

const metaOf = (headers: Readonly<Record<string, unknown>>): CallMeta => {
  const total = text(headers['x-total-count']);
  return { totalCount: total === undefined ? undefined : Number(total), link: text(headers['link']) };
};

/** Per-endpoint options: the message for failures without a response. */
export type EndpointOptions = { readonly fallback?: string };

/**
 * A base query for RTK Query over `Api`. Answers that came with the document (or, on the server, with the store) are used instead of a
 * call. A query that no component waits for is aborted.
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
