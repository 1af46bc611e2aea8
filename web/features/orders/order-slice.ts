import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { CheckoutForm } from '#domain/order/checkout-form.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Failure } from './order-failure.ts';
import type { ReturnForm } from './order-api.ts';

/** Specification, section 4. */
type OrderState = {
  readonly orders: readonly OrderView[];
  readonly currentOrder: OrderView | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly success: boolean;
};
const initialState: OrderState = { orders: [], currentOrder: null, loading: false, error: null, success: false };

/** What is ordered: the same form for another cart is another intent. */
export type CartLines = readonly { readonly productId: string; readonly quantity: number }[];

const asked = (state: OrderState): OrderState => ({ ...state, loading: true, error: null, success: false });
/** The slice only waits for the answer; what the action carries is for the saga. */
const askedWith = <Payload>(): CaseReducer<OrderState, PayloadAction<Payload>> => asked;
const received = (state: OrderState, { payload }: PayloadAction<OrderView>): OrderState => ({
  ...state,
  loading: false,
  success: true,
  currentOrder: payload,
});
/** Nobody waits for it any more. */
const abandoned = (state: OrderState): OrderState => ({ ...state, loading: false });
const failed = (state: OrderState, { payload }: PayloadAction<Failure>): OrderState => ({
  ...state,
  loading: false,
  error: payload.message,
});

const slice = createSlice({
  name: 'order',
  initialState,
  reducers: {
    createRequested: askedWith<{ readonly form: CheckoutForm; readonly lines: CartLines }>(),
    orderCreated: received,
    createFailed: failed,

    /** A draft is checked out again, at the prices of now. */
    refreshRequested: askedWith<OrderView>(),
    orderRefreshed: (state, { payload }: PayloadAction<{ readonly before: OrderView; readonly now: OrderView }>): OrderState => ({
      ...state,
      loading: false,
      success: true,
      currentOrder: payload.now,
    }),
    refreshFailed: failed,

    /** The shopper has left the form or the review: what was asked there leads nowhere any more. */
    draftLeft: abandoned,

    placeRequested: askedWith<{ readonly id: string; readonly method: PaymentMethod }>(),
    orderPlaced: received,
    placeFailed: failed,

    ordersRequested: asked,
    ordersFetched: (state, { payload }: PayloadAction<readonly OrderView[]>): OrderState => ({ ...state, loading: false, orders: payload }),
    ordersFetchFailed: failed,

    orderRequested: askedWith<string>(),
    orderFetched: (state, { payload }: PayloadAction<OrderView>): OrderState => ({ ...state, loading: false, currentOrder: payload }),
    orderFetchFailed: failed,

    cancelRequested: askedWith<{ readonly id: string; readonly reason: string }>(),
    orderCancelled: received,
    cancelFailed: failed,

    returnRequested: askedWith<ReturnForm & { readonly id: string }>(),
    orderReturned: received,
    returnFailed: failed,

    orderReset: (state): OrderState => ({ ...initialState, orders: state.orders }),
  },
  selectors: { selectOrder: (state) => state },
});

export const {
  createRequested,
  orderCreated,
  createFailed,
  refreshRequested,
  orderRefreshed,
  refreshFailed,
  draftLeft,
  placeRequested,
  orderPlaced,
  placeFailed,
  ordersRequested,
  ordersFetched,
  ordersFetchFailed,
  orderRequested,
  orderFetched,
  orderFetchFailed,
  cancelRequested,
  orderCancelled,
  cancelFailed,
  returnRequested,
  orderReturned,
  returnFailed,
  orderReset,
} = slice.actions;
export const { selectOrder } = slice.selectors;
export const orderSlice = slice;
