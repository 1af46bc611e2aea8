import { configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware, { eventChannel } from 'redux-saga';
import { read } from '../../../lib/saga.ts';
import { cartSaga } from '../cart-saga.ts';
import { cartRequested, cartSlice, selectCart } from '../cart-slice.ts';
import type { Operation } from '../optimistic-cart.ts';
import { hasSessionCookie } from '../../../lib/session-storage.ts';
import type { KeptPending } from '../cart-environment.ts';
import { fakeCartServer } from './fake-cart-server.ts';

/** Resolves when no microtask is left that can run without a timer. */
export const quiet = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage('now');
  });

export const openCart = (shop = fakeCartServer(), recalled: readonly Operation[] = [], cookies = 'visitor=1') => {
  let kept: KeptPending = { owner: null, pending: recalled };
  const saga = createSagaMiddleware({ context: { services: { api: shop.api, navigate: () => {} } } });
  const store = configureStore({
    reducer: { [cartSlice.name]: cartSlice.reducer },
    middleware: (defaults) => defaults({ thunk: false, serializableCheck: false, immutableCheck: false }).concat(saga),
  });
  let come: () => void = () => {};
  let pageIsThere: () => void = () => {};
  let back: Promise<void> | undefined;
  saga.run(cartSaga, {
    pageReady: () => new Promise((resolve) => (pageIsThere = resolve)),
    mayHaveCart: () => hasSessionCookie(cookies),
    untilOnline: async () => {
      if (back === undefined) return false;
      await back;
      return true;
    },
    storage: { load: () => kept, save: (now) => void (kept = now) },
    identity: () => read(() => null),
    refocused: () =>
      eventChannel<true>((emit) => {
        come = () => emit(true);
        return () => {};
      }),
  });
  const answerAll = async (): Promise<void> => {
    await quiet();
    while (shop.waiting() > 0) {
      shop.end();
      await quiet();
    }
  };
  return {
    shop,
    kept: () => kept.pending,
    store,
    saga,
    cart: () => selectCart(store.getState()),
    /** Returns `2 × ruh-gulab` for each line. */
    lines: () => selectCart(store.getState()).items.map(({ productId, quantity }) => `${quantity} × ${productId}`),
    draw: () => pageIsThere(),
    comeBack: () => come(),
    /** Takes the browser offline until the returned function is called. */
    goOffline: () => {
      let goOnline = (): void => {};
      back = new Promise((resolve) => (goOnline = resolve));
      return () => {
        back = undefined;
        goOnline();
      };
    },
    answerAll,
    end: async (fate: Parameters<typeof shop.end>[0] = 'answered'): Promise<void> => {
      await quiet();
      shop.end(fate);
      await quiet();
    },
    load: async (): Promise<void> => {
      store.dispatch(cartRequested());
      await answerAll();
    },
  };
};
