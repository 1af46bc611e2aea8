import { combineReducers, type Reducer, type UnknownAction } from '@reduxjs/toolkit';
import type { Saga } from 'redux-saga';
import { authSlice } from '../features/auth/auth-slice.ts';
import { cartFetched, cartSlice } from '../features/cart/cart-slice.ts';
import { EMPTY_CART } from '../features/cart/optimistic-cart.ts';
import { catalogueApi } from '../features/catalogue/catalogue-api.ts';
import type { contactSlice } from '../features/contact/contact-slice.ts';
import { contentSlice } from '../features/content/content-slice.ts';
import { newsletterSlice } from '../features/newsletter/newsletter-slice.ts';
import type { checkoutSlice } from '../features/orders/checkout/checkout-slice.ts';
import type { orderSlice } from '../features/orders/order-slice.ts';
import { shopApi } from '../lib/http/shop-api.ts';
import { isAnotherShopper } from '../lib/session-change.ts';
import { injectSaga } from './root-saga.ts';

const firstReducers = {
  [contentSlice.name]: contentSlice.reducer,
  [authSlice.name]: authSlice.reducer,
  [newsletterSlice.name]: newsletterSlice.reducer,
  [cartSlice.name]: cartSlice.reducer,
  [catalogueApi.reducerPath]: catalogueApi.reducer,
  [shopApi.reducerPath]: shopApi.reducer,
};

type LateSlice = typeof contactSlice | typeof orderSlice | typeof checkoutSlice;
/** The state of slices that load with a screen. Only code of that screen reads it, so the type has no undefined. */
type LateState = { readonly [Each in LateSlice as Each['name']]: ReturnType<Each['reducer']> };
type ShopState = LateState & { readonly [Name in keyof typeof firstReducers]: ReturnType<(typeof firstReducers)[Name]> };
type ShopReducer = Reducer<ShopState, UnknownAction, Partial<ShopState> | undefined>;

const reducersByName: Record<string, Reducer> = firstReducers;
const combined = (): ShopReducer => combineReducers(reducersByName) as unknown as ShopReducer;
let features = combined();

type InjectableStore = { readonly replaceReducer: (next: ShopReducer) => void };
const stores = new Set<InjectableStore>();

/** Adds slices that load later to this store too. */
export const receiveSlices = (store: InjectableStore): void => void stores.add(store);

/** Adds the slices of a loaded screen to every store at once, because the screen reads them as it renders. */
const injectSlices = (slices: readonly LateSlice[]): void => {
  for (const { name, reducer: late } of slices) reducersByName[name] = late as Reducer;
  features = combined();
  for (const store of stores) store.replaceReducer(reducer);
};

export type LazyState = { readonly slices?: readonly LateSlice[]; readonly saga?: Saga };

export const inject = ({ slices = [], saga }: LazyState): void => {
  injectSlices(slices);
  if (saga) injectSaga(saga);
};

/**
 * Another shopper resets all state except public data, the user, and the slices that reset themselves (checkout and calls). A new slice is
 * reset unless it is named here.
 */
export const reducer: ShopReducer = (state, action) => {
  if (!state || !isAnotherShopper(action)) return features(state, action);
  const { content, catalogue, auth, calls, checkout } = state as ShopState;
  return features({ content, catalogue, auth, calls, ...(checkout && { checkout }) }, action);
};

/** Returns the state that the server rendered from: site content, catalogue and an empty cart. */
export const serverRenderedState = ({ content, catalogue }: ShopState): ShopState =>
  features({ content, catalogue }, cartFetched(EMPTY_CART));

/** Returns the state that server rendering begins with: an empty cart. */
export const emptyState = (): ShopState => features(undefined, cartFetched(EMPTY_CART));
