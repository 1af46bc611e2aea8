import { describe, expect, test } from 'vitest';
import { answerCalls } from '../../testing/shop.tsx';
import { adminApi } from './admin-api.ts';
import { createAdminStore } from './admin-store.ts';
import { emptyForm, parseFields } from './products/product-form.ts';
import { product } from './testing/shop-data.ts';

/** Answers with these statuses in turn; undefined loses the answer. Returns the recorded idempotency keys. */
const serverThat = (...statuses: readonly (number | undefined)[]) => {
  const keys: unknown[] = [];
  answerCalls(({ key }) => {
    const status = statuses[keys.push(key) - 1];
    return status === undefined ? 'gone' : { status, data: product() };
  });
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

test('an answer that may not have arrived is sent again with its key, which the next admin does not have', async () => {
  const keys = serverThat(undefined, undefined, undefined);
  const [store, next] = [createAdminStore(), createAdminStore()];
  const answer = adminApi.endpoints.answerMessage.initiate({ id: '1', answer: 'It is.', again: false });
  for (const sender of [store, store, next]) await expect(sender.dispatch(answer).unwrap()).rejects.toMatchObject({ status: undefined });
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
