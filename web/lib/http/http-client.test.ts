import type { InternalAxiosRequestConfig } from 'axios';
import { describe, expect, test } from 'vitest';

import { httpClient } from './http-client.ts';

/** The headers that a call would be sent with. */
const headersOf = async (method: string): Promise<InternalAxiosRequestConfig['headers']> => {
  const { config } = await httpClient.request({
    method,
    url: '/cart/add-to-cart',
    adapter: (sent) => Promise.resolve({ data: null, status: 200, statusText: 'OK', headers: {}, config: sent }),
  });
  return config.headers;
};

describe('a call that changes something', () => {
  test('starts a trace of its own', async () => {
    const traceparent = async () => String((await headersOf('POST')).get('traceparent'));
    const one = await traceparent();
    expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(await traceparent()).not.toBe(one);
  });

  test('a GET does not', async () => expect((await headersOf('GET')).has('traceparent')).toBe(false));
});
