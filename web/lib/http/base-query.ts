import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { AxiosRequestConfig } from 'axios';
import type { FirstCall } from '#domain/site/pages.ts';
import { toCallError, type Api, type CallError } from './api.ts';
import { FirstAnswers, takeFirstAnswer, type CallMeta } from './first-answers.ts';
import { createIdempotencyKeys, withIdempotencyKey, type IdempotencyKeys } from './idempotency-keys.ts';

/** RTK Query keeps an answer this many seconds after the last component that used it has gone. */
export const CACHE_SECONDS = 60;

/** A call of a component is a GET unless `method` says otherwise. Flows of several calls are sagas. */
export type Call = Pick<AxiosRequestConfig, 'method' | 'data' | 'headers' | 'responseType'> & {
  readonly url: string;
  readonly params?: FirstCall['params'];
  readonly fallback?: string;
  /** Sends an idempotency key, so that a command takes effect once, however often it is repeated after lost answers. */
  readonly isOnce?: boolean;
};

const shopKeys = createIdempotencyKeys();

/** The back office's store has keys of its own, since they are kept with what was written to customers until an answer comes. */
const findKeys = (extra: unknown): IdempotencyKeys =>
  typeof extra === 'object' && extra !== null && 'release' in extra ? (extra as IdempotencyKeys) : shopKeys;

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
  async ({ fallback, isOnce = false, ...call }, { signal, extra, type }) => {
    const { url, params = {}, method, data: sent } = call;
    const send = (headers = call.headers) => api.request<unknown>({ ...call, ...(headers && { headers }), signal });
    const first = type === 'query' && (extra instanceof FirstAnswers ? extra.take({ url, params }) : firstAnswer({ url, params }));
    if (first) return first;
    try {
      const { data, headers } = await (isOnce
        ? withIdempotencyKey(findKeys(extra), [method, url, sent], (key) => send({ ...call.headers, 'Idempotency-Key': key }))
        : send());
      return { data, meta: createMeta(headers) };
    } catch (error) {
      return { error: toCallError(error, fallback) };
    }
  };

export const getMessageText = ({ message }: { readonly message: string }): string => message;
