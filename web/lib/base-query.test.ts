import { create } from 'axios';
import { describe, expect, test } from 'vitest';
import { axiosBaseQuery } from './base-query.ts';

/** A query over axios asks nothing of the store. */
const unused = (): never => {
  throw new Error('Not for queries over axios');
};

const ask = (answer: { status: number; data?: unknown; headers?: Record<string, string> }) => {
  const api = create({
    adapter: (config) => {
      const response = { statusText: '', data: answer.data, headers: answer.headers ?? {}, status: answer.status, config };
      return answer.status < 400
        ? Promise.resolve(response)
        : Promise.reject(Object.assign(new Error('Request failed'), { isAxiosError: true, response }));
    },
  });
  const signal = new AbortController().signal;
  return axiosBaseQuery(api)(
    { url: '/product' },
    { signal, abort: unused, dispatch: unused, getState: unused, extra: undefined, endpoint: 'products', type: 'query' },
    {},
  );
};

describe('a query over axios', () => {
  test('passes on how many there are in all and where the next ones are', async () =>
    expect(await ask({ status: 200, data: [], headers: { 'x-total-count': '212', link: '</api/product?cursor=a>; rel="next"' } })).toEqual({
      data: [],
      meta: { totalCount: 212, link: '</api/product?cursor=a>; rel="next"' },
    }));
  test("fails with the server's sentence", async () =>
    expect(await ask({ status: 404, data: { message: 'Product not found' } })).toEqual({
      error: { status: 404, message: 'Product not found' },
    }));
  test('fails with the error’s own text when the server said nothing', async () =>
    expect(await ask({ status: 502 })).toEqual({ error: { status: 502, message: 'Request failed' } }));
});
