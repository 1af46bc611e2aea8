import { configureStore } from '@reduxjs/toolkit';
import { render } from '@testing-library/react';
import { AxiosError, type AxiosAdapter } from 'axios';
import type { ComponentProps, ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createBrowserRouter, createMemoryRouter, RouterProvider, type RouteObject } from 'react-router-dom';
import { inject, reducer } from '../app/reducer.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import { contactSlice } from '../features/contact/contact-slice.ts';
import { contentLoaded } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { shopApi } from '../lib/http/shop-api.ts';
import { httpClient } from '../lib/http/http-client.ts';

// The slice is injected here because a component is rendered without the page that injects it.
inject({ slices: [contactSlice] });

export type Call = {
  readonly url: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly file: string | undefined;
  /** The idempotency key. */
  readonly key: unknown;
};
export type Answer = { readonly status?: number; readonly data?: unknown; readonly headers?: Readonly<Record<string, string>> };

export const NO_ANSWER = new Promise<never>(() => {});

/** Creates an answer that comes when the test gives it. */
export const createLateAnswer = <Given = Answer,>() => {
  let answer: (answer: Given) => void = () => {};
  const promise = new Promise<Given>((resolve) => (answer = resolve));
  return { promise, answer: (given: Given) => answer(given) };
};

/** Returns the text of a file that is sent. */
const readFile = (data: unknown): string | undefined =>
  ArrayBuffer.isView(data) || Object.prototype.toString.call(data) === '[object ArrayBuffer]'
    ? new TextDecoder().decode(data as ArrayBuffer)
    : undefined;

const parseBody = (data: unknown): unknown => (typeof data === 'string' ? JSON.parse(data) : undefined);

/** Replaces the network with these answers, of which 'gone' is a lost one, and returns the list of recorded calls. */
export const answerCalls = (answer: (call: Call) => Answer | 'gone' | Promise<Answer | 'gone'>): readonly Call[] => {
  const asked: Call[] = [];
  const adapter: AxiosAdapter = async (config) => {
    const { url = '', params = {}, headers: sent, data: body } = config;
    const call: Call = { url, params, body: parseBody(body), file: readFile(body), key: sent.get('Idempotency-Key') };
    asked.push(call);
    const given = await answer(call);
    if (given === 'gone') throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config);
    const { status = 200, data, headers = {} } = given;
    const response = { data, status, statusText: '', headers, config };
    if (status >= 400) throw new AxiosError('refused', undefined, config, undefined, response);
    return response;
  };
  httpClient.defaults.adapter = adapter;
  return asked;
};

/** Renders these routes at `address` with a store of the test. */
export const renderRoutes = (store: ComponentProps<typeof Provider>['store'], routes: RouteObject[], address: string) => {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const view = render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return { router, view, place: () => router.state.location.pathname + router.state.location.search };
};

/** Renders these routes at `path` with a new store, which has the site content unless `withContent` is false. */
export const renderShop = (routes: RouteObject[], path = '/', withContent = true) => {
  const store = configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware, shopApi.middleware) });
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
