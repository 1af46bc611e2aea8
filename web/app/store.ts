import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contentSaga } from '../features/content/content-saga.ts';
import { contentSlice } from '../features/content/content-slice.ts';
import type { Services } from '../lib/saga.ts';
import { rootSaga } from './root-saga.ts';

const reducer = combineReducers({
  [contentSlice.name]: contentSlice.reducer,
  [catalogueApi.reducerPath]: catalogueApi.reducer,
});

export const createStore = (services: Services) => {
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, saga) });
  saga.run(rootSaga, [contentSaga]);
  return store;
};
