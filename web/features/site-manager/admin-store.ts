import { configureStore } from '@reduxjs/toolkit';
import { adminApi } from './admin-api.ts';

/** Creates the back office's own store, so that the shop's pages do not load it. */
export const createAdminStore = () =>
  configureStore({
    reducer: { [adminApi.reducerPath]: adminApi.reducer },
    middleware: (defaults) => defaults().concat(adminApi.middleware),
  });

export type AdminStore = ReturnType<typeof createAdminStore>;

let kept: { readonly admin: string; readonly store: AdminStore } | undefined;

/**
 * Returns the store of this admin. It is kept while the admin looks at an order, so that Back shows the list at once. Its data are dropped
 * a minute after the back office was left, and at once when another account opens it.
 */
export const openAdminStore = (admin: string): AdminStore => {
  if (kept?.admin !== admin) kept = { admin, store: createAdminStore() };
  return kept.store;
};

export const dropAdminStore = (): void => void (kept = undefined);
