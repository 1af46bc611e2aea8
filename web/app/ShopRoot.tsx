import type { Store } from '@reduxjs/toolkit';
import { StrictMode, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { ConnectNavigator, type Navigator } from './navigator.tsx';
import { AppRoutes } from './routes.tsx';

type ShopRootProps = {
  readonly store: Store;
  readonly navigator: Navigator;
  /** While hydrating, the state that the server rendered from. Later changes are shown by the next render. */
  readonly serverState?: object | undefined;
  /** The router is BrowserRouter in the browser and StaticRouter on the server. */
  readonly router: (pages: ReactNode) => ReactNode;
};

export const ShopRoot = ({ store, navigator, serverState, router }: ShopRootProps) => (
  <StrictMode>
    <Provider store={store} serverState={serverState}>
      {router(
        <>
          <ConnectNavigator navigator={navigator} />
          <AppRoutes />
        </>,
      )}
    </Provider>
  </StrictMode>
);
