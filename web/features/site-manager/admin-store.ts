import { configureStore } from '@reduxjs/toolkit';
import { createIdempotencyKeys } from '../../lib/http/idempotency-keys.ts';
import { adminApi } from './admin-api.ts';
import { answerDraftsSlice } from './messages/answer-drafts.ts';
import { batchSlice, batchStopped } from './orders/batch/batch-slice.ts';
import { shipmentSheetSlice } from './orders/batch/shipment-sheet.ts';
import { stocktakeSlice } from './stock/stocktake.ts';

/** Creates the back office's own store, so that the shop's pages do not load it. */
export const createAdminStore = () =>
  configureStore({
    reducer: {
      [adminApi.reducerPath]: adminApi.reducer,
      batch: batchSlice.reducer,
      shipmentSheet: shipmentSheetSlice.reducer,
      stocktake: stocktakeSlice.reducer,
      answerDrafts: answerDraftsSlice.reducer,
    },
    // The keys belong to the store, because they are kept with what was written to customers.
    middleware: (defaults) => defaults({ thunk: { extraArgument: createIdempotencyKeys() } }).concat(adminApi.middleware),
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

/** Stops what still runs for this admin, too. */
export const dropAdminStore = (): void => {
  kept?.store.dispatch(batchStopped());
  kept = undefined;
};
