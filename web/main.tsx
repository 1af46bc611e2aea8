import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchPath } from 'react-router-dom';
import { ShopRoot } from './app/ShopRoot.tsx';
import { createNavigator } from './app/navigator.tsx';
import { preloadScreen } from './app/preload-screen.ts';
import { type LazyRoute, lazyRoutes } from './app/routes.tsx';
import { serverRenderedState } from './app/reducer.ts';
import { createStore } from './app/store.ts';
import { catalogueOutdated } from './features/catalogue/catalogue-api.ts';
import { configuredHero } from './features/content/load-content.ts';
import { firstPageReady } from './lib/first-page-ready.ts';
import { api, preloadClient } from './lib/http/api.ts';
import { beginHydration, endHydration } from './lib/http/first-answers.ts';
import { browserTab } from './lib/tab.ts';
import { captureLinks, replayEarlyEvents } from './start/event-replay.ts';

/** These events show that the shopper is about to follow a link. */
const INTENTS = ['pointerover', 'touchstart', 'focusin'] as const;
/** These events usually lead to a call. */
const INTERACTIONS = ['pointerdown', 'keydown'] as const;

const linkUnder = ({ target }: Event): HTMLAnchorElement | null => (target instanceof Element ? target.closest('a') : null);

/** A failed prefetch is ignored, because opening the page loads the chunk again. */
const ignoringFailure = (fetched: Promise<unknown>): void => void fetched.catch(() => undefined);

/**
 * Loads a page's chunk when the pointer or focus reaches its link, and axios with the first interaction, so that a shopper who only reads
 * downloads neither.
 */
const prefetchOnIntent = (routes: readonly LazyRoute[]): void => {
  const onIntent = (event: Event): void => {
    const link = linkUnder(event);
    if (link?.origin !== location.origin) return;
    const route = routes.find(({ path }) => matchPath(path, link.pathname));
    if (route) ignoringFailure(route.lazy());
  };
  for (const type of INTENTS) document.addEventListener(type, onIntent, { passive: true });
  for (const type of INTERACTIONS) document.addEventListener(type, () => ignoringFailure(preloadClient()), { passive: true, once: true });
};

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

prefetchOnIntent(lazyRoutes);
const navigator = createNavigator();
const store = createStore({ api, navigate: navigator.navigate, tab: browserTab() });
const shop = (serverState?: object) => (
  <ShopRoot store={store} navigator={navigator} serverState={serverState} router={(all) => <BrowserRouter>{all}</BrowserRouter>} />
);
void firstPageReady.then(replayEarlyEvents);
const renderFresh = () => createRoot(root).render(shop());

/** A history entry with state, such as a longer listing, does not render as the server did, so it must not be hydrated. */
const hasNoSavedState = (state: unknown): boolean =>
  typeof state !== 'object' || state === null || !('usr' in state) || state.usr === null || state.usr === undefined;

if (root.hasChildNodes() && hasNoSavedState(history.state)) {
  // The server's HTML stays until everything for the same render is loaded; hydrating earlier would show fallbacks. A transition keeps a
  // slow phone responsive meanwhile.
  const hydrate = (): void => {
    captureLinks();
    startTransition(() => void hydrateRoot(root, shop(serverRenderedState(store.getState()))));
  };
  beginHydration();
  preloadScreen(store, location, configuredHero()).then(hydrate, renderFresh);
  const refetchOutdated = async () => {
    await firstPageReady;
    if (endHydration()) store.dispatch(catalogueOutdated());
  };
  void refetchOutdated();
} else renderFresh();
