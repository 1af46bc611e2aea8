import { createSlice, isAnyOf, type UnknownAction } from '@reduxjs/toolkit';
import type { Failure } from './order-failure.ts';
import {
  cancelFailed,
  cancelRequested,
  createFailed,
  createRequested,
  orderFetchFailed,
  orderRequested,
  orderReset,
  ordersFetched,
  ordersFetchFailed,
  ordersRequested,
  placeFailed,
  placeRequested,
  refreshFailed,
  refreshRequested,
  returnFailed,
  returnRequested,
} from './order-slice.ts';

type Asked = 'create' | 'refresh' | 'place' | 'list' | 'fetch' | 'cancel' | 'return';

type OrderScreenState = {
  /** The last request: one `loading` flag serves all calls, and each has its own label. */
  readonly asked: Asked | null;
  /** Details of the last refusal; null unless the last call failed. */
  readonly failure: Failure | null;
  /** Whether `orders` have been loaded for this visit to My Orders: before, an empty list means nothing. */
  readonly listed: boolean;
};
const initialState: OrderScreenState = { asked: null, failure: null, listed: false };

const names: ReadonlyMap<string, Asked> = new Map([
  [createRequested.type, 'create'],
  [refreshRequested.type, 'refresh'],
  [placeRequested.type, 'place'],
  [ordersRequested.type, 'list'],
  [orderRequested.type, 'fetch'],
  [cancelRequested.type, 'cancel'],
  [returnRequested.type, 'return'],
]);
const isRequest = (action: UnknownAction): boolean => names.has(action.type);
const isFailure = isAnyOf(createFailed, refreshFailed, placeFailed, ordersFetchFailed, orderFetchFailed, cancelFailed, returnFailed);

/** UI state of the order screens. */
const slice = createSlice({
  name: 'orderScreen',
  initialState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(orderReset, (): OrderScreenState => initialState)
      .addCase(ordersFetched, (state): OrderScreenState => ({ ...state, listed: true }))
      .addMatcher(isRequest, (state, { type }): OrderScreenState => {
        const asked = names.get(type) ?? null;
        return { asked, failure: null, listed: state.listed && asked !== 'list' };
      })
      .addMatcher(isFailure, (state, { payload }): OrderScreenState => ({ ...state, failure: payload })),
  selectors: { selectOrderScreen: (state) => state },
});

export const { selectOrderScreen } = slice.selectors;
export const orderScreenSlice = slice;
