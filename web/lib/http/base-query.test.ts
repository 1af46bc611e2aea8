import { create } from 'axios';
import { describe, expect, test } from 'vitest';
import { axiosBaseQuery } from './base-query.ts';
import type { FirstAnswer } from './first-answers.ts';

/** The base query must not use the store. */
const unused = (): never => {
  throw new Error('Not for queries over axios');
};

const ask = (
  answer: { status: number; data?: unknown; headers?: Record<string, string> },
  { came, ...options }: { came?: FirstAnswer; fallback?: string } = {},
) => {
  const api = create({
    adapter: (config) => {
      const response = { statusText: '', data: answer.data, headers: answer.headers ?? {}, status: answer.status, config };
      return answer.status < 400
        ? Promise.resolve(response)
        : Promise.reject(Object.assign(new Error('Request failed'), { isAxiosError: true, response }));
    },
  });
  const signal = new AbortController().signal;
  return axiosBaseQuery(api, () => came)(
    { url: '/product' },
    { signal, abort: unused, dispatch: unused, getState: unused, extra: undefined, endpoint: 'products', type: 'query' },
    options,
  );
};

describe('a query over axios', () => {
  test('makes no call when its answer is in the document', async () => {
    const came = { data: ['Ruh Gulab'], meta: { totalCount: 1, link: undefined } };
    expect(await ask({ status: 500 }, { came })).toEqual(came);
  });
  test('returns the total count and the link of the next page', async () =>
    expect(await ask({ status: 200, data: [], headers: { 'x-total-count': '212', link: '</api/product?cursor=a>; rel="next"' } })).toEqual({
      data: [],
      meta: { totalCount: 212, link: '</api/product?cursor=a>; rel="next"' },
    }));
  test("fails with the server's sentence", async () =>
    expect(await ask({ status: 404, data: { message: 'Product not found' } })).toEqual({
      error: { status: 404, message: 'Product not found' },
    }));
  test('fails with the sentence of its endpoint when the server said nothing', async () =>
    expect(await ask({ status: 502 }, { fallback: 'Failed to fetch contacts' })).toEqual({
      error: { status: 502, message: 'Failed to fetch contacts' },
    }));
  test('fails with a sentence of the shop when nobody said anything', async () =>
    expect(await ask({ status: 502 })).toEqual({
      error: { status: 502, message: 'The shop could not do this just now. Please try again.' },
    }));
});
