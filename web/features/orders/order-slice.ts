import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { CheckoutForm } from '#domain/order/checkout-form.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Failure } from './order-failure.ts';
import type { OrdersPage, ReturnForm } from './order-api.ts';

type OrderState = {
  readonly orders: readonly OrderView[];
  readonly currentOrder: OrderView | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly success: boolean;
  /** Whether an order is being placed, wherever the shopper is meanwhile. */
  readonly placing: boolean;
  /** The order just placed, until the shopper has seen it. */
  readonly placed: OrderView | null;
};
const initialState: OrderState = {
  orders: [],
  currentOrder: null,
  loading: false,
  error: null,
  success: false,
  placing: false,
  placed: null,
};

/** Part of the intent: the same form for another cart needs another idempotency key. */
export type CartLines = readonly { readonly productId: string; readonly quantity: number }[];

const requested = (state: OrderState): OrderState => ({ ...state, loading: true, error: null, success: false });
/** Only marks the request as pending; the saga reads the payload. */
const requestedWith = <Payload>(): CaseReducer<OrderState, PayloadAction<Payload>> => requested;
const placeBegun: CaseReducer<OrderState, PayloadAction<{ readonly id: string; readonly method: PaymentMethod }>> = (state) => ({
  ...requested(state),
  placing: true,
  placed: null,
});
const received = (state: OrderState, { payload }: PayloadAction<OrderView>): OrderState => ({
  ...state,
  loading: false,
  success: true,
  currentOrder: payload,
});
/** The request's answer is no longer wanted. */
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
    createRequested: requestedWith<{ readonly form: CheckoutForm; readonly lines: CartLines }>(),
    orderCreated: received,
    createFailed: failed,

    /** Checks the draft out again at current prices. */
    refreshRequested: requestedWith<OrderView>(),
    orderRefreshed: (state, { payload }: PayloadAction<{ readonly before: OrderView; readonly now: OrderView }>): OrderState => ({
      ...state,
      loading: false,
      success: true,
      currentOrder: payload.now,
    }),
    refreshFailed: failed,

    /** The shopper left the form or the review: requests made there must not navigate any more. */
    draftLeft: abandoned,

    placeRequested: placeBegun,
    orderPlaced: (state, action: PayloadAction<OrderView>): OrderState => ({
      ...received(state, action),
      placing: false,
      placed: action.payload,
    }),
    placedSeen: (state): OrderState => ({ ...state, placed: null }),
    placeFailed: (state, action: PayloadAction<Failure>): OrderState => ({ ...failed(state, action), placing: false }),

    ordersRequested: requested,
    ordersFetched: (state, { payload }: PayloadAction<OrdersPage>): OrderState => ({ ...state, loading: false, orders: payload.orders }),
    ordersFetchFailed: failed,

    moreOrdersRequested: (state) => state,
    moreOrdersFetched: (state, { payload }: PayloadAction<OrdersPage>): OrderState => ({
      ...state,
      orders: [...state.orders, ...payload.orders],
    }),
    moreOrdersFailed: (state) => state,

    orderRequested: requestedWith<string>(),
    orderFetched: (state, { payload }: PayloadAction<OrderView>): OrderState => ({ ...state, loading: false, currentOrder: payload }),
    orderFetchFailed: failed,

    cancelRequested: requestedWith<{ readonly id: string; readonly reason: string }>(),
    orderCancelled: received,
    cancelFailed: failed,

    returnRequested: requestedWith<ReturnForm & { readonly id: string }>(),
    orderReturned: received,
    returnFailed: failed,

    orderReset: ({ orders, placing, placed }): OrderState => ({ ...initialState, orders, placing, placed }),
  },
  selectors: { selectOrder: (state) => state, selectPlaced: (state) => state.placed },
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
  placedSeen,
  placeFailed,
  ordersRequested,
  ordersFetched,
  ordersFetchFailed,
  moreOrdersRequested,
  moreOrdersFetched,
  moreOrdersFailed,
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
export const { selectOrder, selectPlaced } = slice.selectors;
export const orderSlice = slice;
