import type { Store } from '@reduxjs/toolkit';
import { StrictMode, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { ConnectNavigator, type Navigator } from './navigator.tsx';
import { AppRoutes } from './routes.tsx';

type ShopRootProps = {
  readonly store: Store;
  readonly navigator: Navigator;
  /** Where a page that was drawn is taken over: the state that it was drawn from. What came since shows right after that. */
  readonly serverState?: object | undefined;
  /** The router of a window, or of an address alone. */
  readonly router: (pages: ReactNode) => ReactNode;
};

/** The whole shop, the same in a browser's window as where a page is drawn beforehand. */
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
