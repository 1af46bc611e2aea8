import { AxiosError, AxiosHeaders, type AxiosAdapter } from 'axios';
import { describe, expect, test } from 'vitest';
import { httpClient } from '../../lib/http/http-client.ts';
import { adminApi } from './admin-api.ts';
import { createAdminStore } from './admin-store.ts';
import { emptyForm, parseFields } from './products/product-form.ts';
import { product } from './testing/shop-data.ts';

/** Creates a server that answers with these statuses in turn; undefined loses the answer. Returns the recorded idempotency keys. */
const serverThat = (...statuses: readonly (number | undefined)[]): unknown[] => {
  const keys: unknown[] = [];
  const adapter: AxiosAdapter = (config) => {
    const status = statuses[keys.length];
    keys.push(AxiosHeaders.from(config.headers).get('Idempotency-Key'));
    if (status === undefined) return Promise.reject(new AxiosError('Network Error', 'ERR_NETWORK', config));
    const response = { data: product(), status, statusText: '', headers: {}, config };
    return status < 400 ? Promise.resolve(response) : Promise.reject(new AxiosError('refused', undefined, config, undefined, response));
  };
  httpClient.defaults.adapter = adapter;
  return keys;
};

describe('adding a product', () => {
  const store = createAdminStore();
  const add = (name: string) => store.dispatch(adminApi.endpoints.addProduct.initiate(parseFields({ ...emptyForm, name }))).unwrap();

  test.each([undefined, 503])(
    'repeats a call with the same key after a lost answer (%s), and has a new key after an answer',
    async (lost) => {
      const keys = serverThat(lost, 201, 201);
      await expect(add('Ruh Khus')).rejects.toMatchObject({ status: lost });
      await add('Ruh Khus');
      await add('Ruh Khus');
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(keys[1]).toBe(keys[0]);
      expect(keys[2]).not.toBe(keys[0]);
    },
  );

  test('has a new key after a refusal and for another product', async () => {
    const keys = serverThat(400, 201, 201);
    await expect(add('Ruh Kewra')).rejects.toMatchObject({ status: 400 });
    await add('Ruh Kewra');
    await add('Ruh Gulab');
    expect(new Set(keys).size).toBe(3);
  });
});
