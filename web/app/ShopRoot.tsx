import type { Store } from '@reduxjs/toolkit';
import { StrictMode, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { AtTheHelm, type Helm } from './navigator.tsx';
import { Pages } from './routes.tsx';

type ShopRootProps = {
  readonly store: Store;
  readonly helm: Helm;
  /** Where a page that was drawn is taken over: the state that it was drawn from. What came since shows right after that. */
  readonly drawn?: object | undefined;
  /** The router of a window, or of an address alone. */
  readonly within: (pages: ReactNode) => ReactNode;
};

/** The whole shop, the same in a browser's window as where a page is drawn beforehand. */
export const ShopRoot = ({ store, helm, drawn, within }: ShopRootProps) => (
  <StrictMode>
    <Provider store={store} serverState={drawn}>
      {within(
        <>
          <AtTheHelm helm={helm} />
          <Pages />
        </>,
      )}
    </Provider>
  </StrictMode>
);
