import { configureStore } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import type { AxiosAdapter } from 'axios';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createBrowserRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { inject, reducer } from '../app/reducer.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contactSlice } from '../features/contact/contact-slice.ts';
import { contentLoaded } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { shopApi } from '../lib/http/shop-api.ts';
import { httpClient } from '../lib/http/http-client.ts';

// The slice is injected here because a component is rendered without the page that injects it.
inject({ slices: [contactSlice] });

type Call = { readonly url: string; readonly params: Readonly<Record<string, unknown>>; readonly body: unknown };
type Answer = { readonly status?: number; readonly data: unknown; readonly headers?: Readonly<Record<string, string>> };

const parseBody = (data: unknown): unknown => (typeof data === 'string' ? JSON.parse(data) : undefined);

/** Replaces the network with these answers and returns the list of recorded calls. */
export const answerCalls = (answer: (call: Call) => Answer | Promise<Answer>): readonly Call[] => {
  const asked: Call[] = [];
  const adapter: AxiosAdapter = async (config) => {
    const call: Call = { url: config.url ?? '', params: config.params ?? {}, body: parseBody(config.data) };
    asked.push(call);
    const { status = 200, data, headers = {} } = await answer(call);
    const response = { data, status, statusText: '', headers, config };
    if (status >= 400) throw Object.assign(new Error('refused'), { isAxiosError: true, response });
    return response;
  };
  httpClient.defaults.adapter = adapter;
  return asked;
};

/** Renders these routes at `path` with a new store, which has the site content unless `withContent` is false. */
export const renderShop = (routes: RouteObject[], path = '/', withContent = true) => {
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults().concat(catalogueApi.middleware, shopApi.middleware),
  });
  if (withContent) store.dispatch(contentLoaded(siteContent));
  window.history.replaceState(null, '', path);
  const router = createBrowserRouter(routes);
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return { router, store, view };
};

export const renderPart = (part: ReactNode, path = '/') => renderShop([{ path: '*', element: part }], path);
