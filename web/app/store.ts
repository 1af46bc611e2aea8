import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { authSaga } from '../features/auth/auth-saga.ts';
import { authScreenSlice } from '../features/auth/auth-screen-slice.ts';
import { authSlice, loggedOut } from '../features/auth/auth-slice.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contentSaga } from '../features/content/content-saga.ts';
import { contentSlice } from '../features/content/content-slice.ts';
import type { Services } from '../lib/saga.ts';
import { rootSaga } from './root-saga.ts';

const features = combineReducers({
  [contentSlice.name]: contentSlice.reducer,
  [authSlice.name]: authSlice.reducer,
  [authScreenSlice.name]: authScreenSlice.reducer,
  [catalogueApi.reducerPath]: catalogueApi.reducer,
});

/**
 * Whoever leaves takes all that was theirs along: only what is the same for everybody stays, and a new feature is forgotten unless it is
 * named here.
 */
const reducer: typeof features = (state, action) =>
  features(state && loggedOut.match(action) ? { content: state.content, catalogue: state.catalogue } : state, action);

export const createStore = (services: Services) => {
  const saga = createSagaMiddleware({ context: { services } });
  const store = configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, saga) });
  saga.run(rootSaga, [contentSaga, authSaga]);
  return store;
};
