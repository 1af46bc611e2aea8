import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { contentLoaded } from '../features/content/content-slice.ts';
import { siteContent } from '../features/content/site-content.ts';
import { api } from '../lib/http/api.ts';
import { mediaThatHold } from '../testing/in-view.ts';
import { answerCalls, renderRoutes } from '../testing/shop.tsx';
import { browserTab } from '../lib/tab.ts';
import { AppRoutes, lazyRoutes } from './routes.tsx';
import { createStore } from './store.ts';

const deny = (): never => {
  throw new DOMException('Denied', 'SecurityError');
};

beforeEach(() => {
  mediaThatHold('(min-width: 48rem)');
  for (const storage of ['sessionStorage', 'localStorage'] as const) vi.spyOn(globalThis, storage, 'get').mockImplementation(deny);
  vi.spyOn(document, 'cookie', 'get').mockImplementation(deny);
  class Denied {
    readonly denied = deny();
  }
  vi.stubGlobal('BroadcastChannel', Denied);
});

test.each(lazyRoutes.map(({ path }) => `/${path}`.replace('//', '/').replace(/:\w+/, 'oud')))(
  '%s works in a browser that blocks storage',
  async (path) => {
    answerCalls(({ url }) => (url === '/product' ? { data: [] } : { status: 404, data: { message: 'Not found' } }));
    const store = createStore({ api, navigate: () => {}, tab: browserTab() });
    store.dispatch(contentLoaded(siteContent));
    renderRoutes(store, [{ path: '*', Component: AppRoutes }], path);
    const title = await screen.findByRole('heading', { level: 1 }, { timeout: 10_000 });
    expect(title.textContent).not.toBe('Something went wrong');
  },
);
