import { createSlice, isAnyOf, type UnknownAction } from '@reduxjs/toolkit';
import type { Failure } from './order-failure.ts';
import {
  cancelFailed,
  cancelRequested,
  createFailed,
  createRequested,
  moreOrdersFailed,
  moreOrdersFetched,
  moreOrdersRequested,
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
  /** Whether `orders` have been loaded: before, an empty list means nothing. They stay while they are fetched again. */
  readonly listed: boolean;
  /** The cursor of the orders after those. */
  readonly next: string | undefined;
  readonly more: 'idle' | 'loading' | 'failed';
};
const initialState: OrderScreenState = { asked: null, failure: null, listed: false, next: undefined, more: 'idle' };

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
      .addCase(orderReset, ({ listed, next }): OrderScreenState => ({ ...initialState, listed, next }))
      .addCase(ordersFetched, (state, { payload }): OrderScreenState => ({ ...state, listed: true, next: payload.next, more: 'idle' }))
      .addCase(moreOrdersRequested, (state): OrderScreenState => ({ ...state, more: 'loading' }))
      .addCase(moreOrdersFetched, (state, { payload }): OrderScreenState => ({ ...state, next: payload.next, more: 'idle' }))
      .addCase(moreOrdersFailed, (state): OrderScreenState => ({ ...state, more: 'failed' }))
      .addMatcher(isRequest, (state, { type }): OrderScreenState => ({ ...state, asked: names.get(type) ?? null, failure: null }))
      .addMatcher(isFailure, (state, { payload }): OrderScreenState => ({ ...state, failure: payload })),
  selectors: { selectOrderScreen: (state) => state },
});

export const { selectOrderScreen } = slice.selectors;
export const orderScreenSlice = slice;
