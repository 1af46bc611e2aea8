import { configureStore } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import type { AxiosAdapter } from 'axios';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { reducer } from '../app/store.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contentLoaded } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { httpClient } from '../lib/http/http-client.ts';

type Call = { readonly url: string; readonly params: Readonly<Record<string, unknown>>; readonly body: unknown };
type Answer = { readonly status?: number; readonly data: unknown; readonly headers?: Readonly<Record<string, string>> };

/** What was sent, of which axios makes JSON before it hands it on. */
const bodyOf = (data: unknown): unknown => (typeof data === 'string' ? JSON.parse(data) : undefined);

/** Answers the shop's calls in the network's place, and keeps what was asked. */
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

/** The page at `path`, in a store of its own in which the site content is there, unless told otherwise. */
export const renderShop = (routes: RouteObject[], path = '/', withContent = true) => {
  const store = configureStore({
    reducer,
    middleware: (defaults) => defaults().concat(catalogueApi.middleware),
  });
  if (withContent) store.dispatch(contentLoaded(siteContent));
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return { router, store, view };
};

/** One part of a page, anywhere in the shop. */
export const renderPart = (part: ReactNode, path = '/') => renderShop([{ path: '*', element: part }], path);
