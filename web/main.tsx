import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { gather } from './app/preload-screen.ts';
import { createHelm } from './app/navigator.tsx';
import { prefetchOnIntent } from './app/prefetch.ts';
import { pages } from './app/routes.tsx';
import { ShopRoot } from './app/ShopRoot.tsx';
import { asDrawn, createStore } from './app/store.ts';
import { api } from './lib/api.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

prefetchOnIntent(pages);
const helm = createHelm();
const store = createStore({ api, navigate: helm.navigate });
const shop = (drawn?: object) => (
  <ShopRoot store={store} helm={helm} drawn={drawn} within={(all) => <BrowserRouter>{all}</BrowserRouter>} />
);
const drawAnew = () => createRoot(root).render(shop());

/** An entry that was left with something in its state, a longer listing say, is not the page as it begins, which is what the server drew. */
const isAsItBegins = (state: unknown): boolean =>
  typeof state !== 'object' || state === null || !('usr' in state) || state.usr === null || state.usr === undefined;

if (root.hasChildNodes() && isAsItBegins(history.state)) {
  // What the server drew stands until all is there to draw the same; only then is it taken over, and nothing moves.
  // A transition, so that a slow phone answers to its reader in between.
  const takeOver = () => startTransition(() => void hydrateRoot(root, shop(asDrawn(store.getState()))));
  gather(store, location).then(takeOver, drawAnew);
} else drawAnew();
