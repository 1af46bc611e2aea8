import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { expect, test, vi } from 'vitest';
import { contentSaga } from './content-saga.ts';
import { contentRequested, contentSlice, selectContent, selectContentFailed } from './content-slice.ts';
import { siteContent } from './site-content.ts';

const shopWith = (load: () => Promise<typeof siteContent>) => {
  const saga = createSagaMiddleware();
  const store = configureStore({
    reducer: { content: contentSlice.reducer },
    middleware: (defaults) => defaults({ thunk: false }).concat(saga),
  });
  saga.run(contentSaga, load);
  return store;
};

test('loading the site content starts when the shop opens, and the content is null until it has loaded', async () => {
  const store = shopWith(() => Promise.resolve(siteContent));
  expect(selectContent(store.getState())).toBeNull();
  await expect.poll(() => selectContent(store.getState())).toEqual(siteContent);
});

test('loading the site content marks a failure in the state, and a second try can succeed', async () => {
  const load = vi.fn<() => Promise<typeof siteContent>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValue(siteContent);
  const store = shopWith(load);
  await expect.poll(() => selectContentFailed(store.getState())).toBe(true);
  store.dispatch(contentRequested());
  await expect.poll(() => selectContent(store.getState())).toEqual(siteContent);
  expect(selectContentFailed(store.getState())).toBe(false);
});
