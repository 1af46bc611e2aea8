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

// A part is rendered without the screen that brings its slice.
inject({ slices: [contactSlice] });

type Call = { readonly url: string; readonly params: Readonly<Record<string, unknown>>; readonly body: unknown };
type Answer = { readonly status?: number; readonly data: unknown; readonly headers?: Readonly<Record<string, string>> };

/** axios serialises the body to JSON before the adapter sees it. */
const bodyOf = (data: unknown): unknown => (typeof data === 'string' ? JSON.parse(data) : undefined);

/** Replaces the network with these answers; returns the recorded calls. */
export const answerCalls = (answer: (call: Call) => Answer | Promise<Answer>): readonly Call[] => {
  const asked: Call[] = [];
  const adapter: AxiosAdapter = async (config) => {
    const call: Call = { url: config.url ?? '', params: config.params ?? {}, body: bodyOf(config.data) };
    asked.push(call);
    const { status = 200, data, headers = {} } = await answer(call);
    const response = { data, status, statusText: '', headers, config };
    if (status >= 400) throw Object.assign(new Error('refused'), { isAxiosError: true, response });
    return response;
  };
  httpClient.defaults.adapter = adapter;
  return asked;
};

/** Renders these routes at `path`, in a store of its own with the site content unless told otherwise. */
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

/** Renders one component, without a page around it. */
export const renderPart = (part: ReactNode, path = '/') => renderShop([{ path: '*', element: part }], path);
