import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter, matchPath } from 'react-router-dom';
import { ShopRoot } from './app/ShopRoot.tsx';
import { createNavigator } from './app/navigator.tsx';
import { preloadScreen } from './app/preload-screen.ts';
import { type LazyRoute, lazyRoutes } from './app/routes.tsx';
import { createStore, serverRenderedState } from './app/store.ts';
import { api, preloadClient } from './lib/http/api.ts';

/** Somebody is about to go there: points at a link, touches it, or reaches it by keyboard. */
const INTENTS = ['pointerover', 'touchstart', 'focusin'] as const;
/** Somebody is about to do something, of which most is a call. */
const INTERACTIONS = ['pointerdown', 'keydown'] as const;

const linkUnder = ({ target }: Event): HTMLAnchorElement | null => (target instanceof Element ? target.closest('a') : null);

/** What did not come now is asked for again, and missed, when it is needed. */
const quietly = (fetched: Promise<unknown>): void => void fetched.catch(() => undefined);

/**
 * Fetches the script of a page while the hand is still on the way to its link, and what calls are made with at the first deed: by the
 * click it is there, and whoever only reads fetches nothing.
 */
const prefetchOnIntent = (pages: readonly LazyRoute[]): void => {
  const onIntent = (event: Event): void => {
    const link = linkUnder(event);
    if (link?.origin !== location.origin) return;
    const page = pages.find(({ path }) => matchPath(path, link.pathname));
    if (page) quietly(page.lazy());
  };
  for (const intent of INTENTS) document.addEventListener(intent, onIntent, { passive: true });
  for (const deed of INTERACTIONS) document.addEventListener(deed, () => quietly(preloadClient()), { passive: true, once: true });
};

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

prefetchOnIntent(lazyRoutes);
const navigator = createNavigator();
const store = createStore({ api, navigate: navigator.navigate });
const shop = (drawn?: object) => (
  <ShopRoot store={store} navigator={navigator} serverState={drawn} router={(all) => <BrowserRouter>{all}</BrowserRouter>} />
);
const renderFresh = () => createRoot(root).render(shop());

/** An entry that was left with something in its state, a longer listing say, is not the page as it begins, which is what the server drew. */
const hasNoSavedState = (state: unknown): boolean =>
  typeof state !== 'object' || state === null || !('usr' in state) || state.usr === null || state.usr === undefined;

if (root.hasChildNodes() && hasNoSavedState(history.state)) {
  // What the server drew stands until all is there to draw the same; only then is it taken over, and nothing moves.
  // A transition, so that a slow phone answers to its reader in between.
  const hydrate = () => startTransition(() => void hydrateRoot(root, shop(serverRenderedState(store.getState()))));
  preloadScreen(store, location).then(hydrate, renderFresh);
} else renderFresh();
