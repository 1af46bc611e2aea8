import { configureStore, type Reducer } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import createSagaMiddleware, { type Saga } from 'redux-saga';
import { api } from '../lib/http/api.ts';

/** Renders a component with a feature's reducer and saga; `answerCalls` answers its calls. */
export const renderWithSaga = <State,>(part: ReactNode, reducer: Reducer<State>, feature: Saga, path = '/') => {
  const saga = createSagaMiddleware({ context: { services: { api, navigate: () => {} } } });
  const store = configureStore({ reducer, middleware: (defaults) => defaults({ thunk: false }).concat(saga) });
  saga.run(feature);
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [path] });
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return { store, router, view };
};
