import { create, type InternalAxiosRequestConfig } from 'axios';
import { expect, test } from 'vitest';
import { axiosBaseQuery, type Call } from './base-query.ts';
import type { FirstAnswer } from './first-answers.ts';

const unused = (): never => {
  throw new Error('Not for queries over axios');
};

const COMMAND = { abort: unused, dispatch: unused, getState: unused, extra: undefined, endpoint: 'send', type: 'mutation' } as const;
const NO_META = { totalCount: undefined, link: undefined };

type Given = { readonly came?: FirstAnswer; readonly type?: 'query' | 'mutation' } & Partial<Call>;

const ask = async (
  answer: { status: number; data?: unknown; headers?: Record<string, string> },
  { came, type = 'query', ...call }: Given = {},
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
    { url: '/product', ...call },
    { signal, abort: unused, dispatch: unused, getState: unused, extra: undefined, endpoint: 'products', type },
    {},
  );
};

const echo = (config: InternalAxiosRequestConfig) =>
  Promise.resolve({ statusText: '', headers: {}, status: 200, config, data: [config.method, config.data, config.headers.get('If-Match')] });

test('a call by RTK Query is not made when its answer is in the document', async () => {
  const came = { data: ['Ruh Gulab'], meta: { totalCount: 1, link: undefined } };
  expect(await ask({ status: 500 }, { came })).toEqual(came);
});
test('a call by RTK Query is always made when it is a command', async () =>
  expect(await ask({ status: 201, data: 'made' }, { came: { data: 'kept', meta: NO_META }, type: 'mutation' })).toEqual({
    data: 'made',
    meta: NO_META,
  }));
test('a call by RTK Query is sent with its method, data and headers', async () => {
  const sent = axiosBaseQuery(create({ adapter: echo }))(
    { url: '/contact', method: 'POST', data: { name: 'Meera' }, headers: { 'If-Match': '7' } },
    { ...COMMAND, signal: new AbortController().signal },
    {},
  );
  expect(await sent).toMatchObject({ data: ['post', '{"name":"Meera"}', '7'] });
});
test('a command that takes effect once has the same key after a lost answer, and another after it was answered', async () => {
  const keys: unknown[] = [];
  const api = create({
    adapter: (config) => {
      keys.push(config.headers.get('Idempotency-Key'));
      return keys.length === 1 ? Promise.reject(new Error('The answer was lost')) : echo(config);
    },
  });
  for (let time = 0; time < 3; time++)
    await axiosBaseQuery(api)(
      { url: '/contact', method: 'POST', data: { name: 'Meera' }, isOnce: true },
      { ...COMMAND, signal: new AbortController().signal },
      {},
    );
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
test('a call by RTK Query returns the total count and the link of the next page', async () =>
  expect(await ask({ status: 200, data: [], headers: { 'x-total-count': '212', link: '</api/product?cursor=a>; rel="next"' } })).toEqual({
    data: [],
    meta: { totalCount: 212, link: '</api/product?cursor=a>; rel="next"' },
  }));
test("a call by RTK Query fails with the server's message, code, field errors and whole body", async () => {
  const data = { message: 'Somebody changed it', code: 'product_changed', errors: { name: 'Required' }, current: { revision: 3 } };
  expect(await ask({ status: 409, data })).toEqual({
    error: { status: 409, message: data.message, code: data.code, errors: data.errors, refusal: data },
  });
});
test('a call by RTK Query fails with its fallback message when a proxy answered', async () =>
  expect(await ask({ status: 502, data: '<html>' }, { fallback: 'Failed to fetch contacts' })).toEqual({
    error: { status: 502, message: 'Failed to fetch contacts', errors: {}, refusal: {} },
  }));
test('a call by RTK Query fails with a general message when there was no response', async () =>
  expect(await ask({ status: 502 })).toMatchObject({
    error: { status: 502, message: 'The shop could not do this just now. Please try again.' },
  }));

/** Other parts of the shop, and its shoppers, know these sentences. */
const FIXED = [
  'Failed to load products.',
  'Failed to fetch contacts',
  'Failed to fetch subscribers',
  'Failed to subscribe',
  'Failed to unsubscribe',
  'Something went wrong',
  '❌ Failed to delete',
];

test('a call that failed without a word from the server says what could not be done, and what to do', () => {
  const sources = import.meta.glob<string>(['../../features/**/*.ts', '../../features/**/*.tsx', '!**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const told = Object.values(sources).flatMap((source) =>
    [...source.matchAll(/fallback: '([^']+)'/g)].map(([, sentence = '']) => sentence),
  );
  expect(told.length).toBeGreaterThan(30);
  expect(
    told.filter((sentence) => !/^(The|Your) [^.]+ could not be [^.]+\. [A-Z][^.]+\.$/.test(sentence) && !FIXED.includes(sentence)),
  ).toEqual([]);
});
