import type { InternalAxiosRequestConfig } from 'axios';
import { expect, test } from 'vitest';

import { httpClient } from './http-client.ts';

const headersOf = async (method: string): Promise<InternalAxiosRequestConfig['headers']> => {
  const { config } = await httpClient.request({
    method,
    url: '/cart/add-to-cart',
    adapter: (sent) => Promise.resolve({ data: null, status: 200, statusText: 'OK', headers: {}, config: sent }),
  });
  return config.headers;
};

test('an HTTP call starts a trace of its own if it is a command', async () => {
  const traceparent = async () => String((await headersOf('POST')).get('traceparent'));
  const one = await traceparent();
  expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(await traceparent()).not.toBe(one);
});

test('an HTTP call starts no trace if it is a GET', async () => expect((await headersOf('GET')).has('traceparent')).toBe(false));
