import type { Action } from '@reduxjs/toolkit';
import createSagaMiddleware, { stdChannel } from 'redux-saga';
import { create } from 'axios';
import { take } from 'redux-saga/effects';
import { afterEach, expect, test, vi } from 'vitest';
import { run, services, type Services } from '../lib/saga.ts';
import { rootSaga } from './root-saga.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs features as the store does and returns the store's dispatch. */
const start = (features: Parameters<typeof rootSaga>[0], context: Partial<Services> = {}) => {
  const channel = stdChannel<Action>();
  const given: Services = { api: create(), navigate: () => {}, ...context };
  const saga = createSagaMiddleware({ channel, context: { services: given } });
  saga({ dispatch: (action) => action, getState: () => ({}) });
  saga.run(rootSaga, features);
  return (type: string) => channel.put({ type });
};

function* breaks() {
  yield take('visited');
  throw new Error('broken');
}

function* leads() {
  const { navigate } = yield* services();
  const place = yield* run(() => Promise.resolve('/cart'));
  yield* run(async () => navigate(place));
}

test('the root saga keeps the other features running when one throws', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const heard = vi.fn<() => void>();
  function* listens() {
    for (;;) {
      yield take('visited');
      heard();
    }
  }
  const dispatch = start([breaks, listens]);
  dispatch('visited');
  dispatch('visited');
  expect(heard).toHaveBeenCalledTimes(2);
  expect(console.error).toHaveBeenCalledWith('The saga breaks ended', expect.any(Error));
});

test('the root saga gives every saga the services, and `run` returns the answer of a call', async () => {
  const visited: string[] = [];
  start([leads], { navigate: (to) => void visited.push(to) });
  await expect.poll(() => visited).toEqual(['/cart']);
});
