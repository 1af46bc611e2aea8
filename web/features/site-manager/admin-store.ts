import { configureStore } from '@reduxjs/toolkit';
import { adminApi } from './admin-api.ts';

/** A store of its own for the back office: the shop's pages do not load it. */
export const createAdminStore = () =>
  configureStore({
    reducer: { [adminApi.reducerPath]: adminApi.reducer },
    middleware: (defaults) => defaults().concat(adminApi.middleware),
  });

export type AdminStore = ReturnType<typeof createAdminStore>;

let kept: { readonly admin: string; readonly store: AdminStore } | undefined;

/**
 * The store of this admin. It is kept while an order is looked at, so that Back shows the list at once; its data are dropped a minute after
 * the back office was left, and at once when another account opens it.
 */
export const adminStoreOf = (admin: string): AdminStore => {
  if (kept?.admin !== admin) kept = { admin, store: createAdminStore() };
  return kept.store;
};

export const dropAdminStore = (): void => void (kept = undefined);
