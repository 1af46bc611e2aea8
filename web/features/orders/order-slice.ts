import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { CheckoutForm } from '#domain/order/checkout.ts';
import type { PaymentMethod } from '#domain/order/events.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { Failure } from './order-failure.ts';
import type { OrdersPage, ReturnForm } from './order-api.ts';

const operations = ['create', 'refresh', 'place', 'list', 'more', 'fetch', 'cancel', 'return'] as const;
type Operation = (typeof operations)[number];

/** Of the last request of each kind: under way, or why it failed; null when it was answered. */
type Calls = Readonly<Record<Operation, 'pending' | Failure | null>>;
const IDLE: Calls = { create: null, refresh: null, place: null, list: null, more: null, fetch: null, cancel: null, return: null };

/** The order that is being placed. */
type Placing = Pick<OrderView, 'orderNumber' | 'placedAt'> & { readonly _id: string };

export type OrderState = {
  readonly orders: readonly OrderView[];
  readonly currentOrder: OrderView | null;
  /** Whether any request is under way. */
  readonly loading: boolean;
  readonly error: string | null;
  readonly success: boolean;
  readonly calls: Calls;
  /** The cursor of the orders after those; null after the last one, undefined before any were loaded. */
  readonly next: string | null | undefined;
  /** Until the shopper has seen what became of it. */
  readonly placing: Placing | null;
};
const initialState: OrderState = {
  orders: [],
  currentOrder: null,
  loading: false,
  error: null,
  success: false,
  calls: IDLE,
  next: undefined,
  placing: null,
};

/** Part of the intent: the same form for another cart needs another idempotency key. */
export type CartLines = readonly { readonly productId: string; readonly quantity: number }[];

export const isPending = ({ calls }: OrderState, operation: Operation): boolean => calls[operation] === 'pending';
export const failureIn = ({ calls }: OrderState, operation: Operation): Failure | null => {
  const call = calls[operation];
  return call === 'pending' ? null : call;
};

const withCalls = (state: OrderState, changes: Partial<Calls>): OrderState => {
  const calls = { ...state.calls, ...changes };
  return { ...state, calls, loading: operations.some((each) => calls[each] === 'pending') };
};

/** The shopper has seen what became of the placing. One under way goes on wherever they are. */
const seen = (state: OrderState): OrderState =>
  isPending(state, 'place') ? state : { ...withCalls(state, { place: null }), placing: null };

const requested = (state: OrderState, changes: Partial<Calls>): OrderState => ({
  ...withCalls(state, changes),
  error: null,
  success: false,
});
/** Only marks the request as pending; the saga reads the payload. `supersede`: takes out what says nothing any more. */
const requestedWith =
  <Payload>(operation: Operation, supersede = (state: OrderState) => state): CaseReducer<OrderState, PayloadAction<Payload>> =>
  (state) =>
    requested(supersede(state), { [operation]: 'pending' });
const received =
  (operation: Operation) =>
  (state: OrderState, { payload }: PayloadAction<OrderView>): OrderState => ({
    ...withCalls(state, { [operation]: null }),
    success: true,
    currentOrder: payload,
  });
const failed =
  (operation: Operation) =>
  (state: OrderState, { payload }: PayloadAction<Failure>): OrderState => ({
    ...withCalls(state, { [operation]: payload }),
    error: payload.message,
  });

const slice = createSlice({
  name: 'order',
  initialState,
  reducers: {
    createRequested: requestedWith<{ readonly form: CheckoutForm; readonly lines: CartLines }>('create'),
    orderCreated: received('create'),
    createFailed: failed('create'),

    /** Checks the draft out again at current prices. */
    refreshRequested: requestedWith<OrderView>('refresh', seen),
    orderRefreshed: (state, { payload }: PayloadAction<{ readonly before: OrderView; readonly now: OrderView }>): OrderState => ({
      ...withCalls(state, { refresh: null }),
      success: true,
      currentOrder: payload.now,
    }),
    refreshFailed: failed('refresh'),

    /** The shopper left the form or the review: requests made there must not navigate any more. */
    draftLeft: (state): OrderState => withCalls(seen(state), { create: null, refresh: null }),

    placeRequested: (state, { payload: { id } }: PayloadAction<{ readonly id: string; readonly method: PaymentMethod }>): OrderState => ({
      ...requested(state, { refresh: null, place: 'pending' }),
      placing: { _id: id, orderNumber: null, placedAt: null },
    }),
    orderPlaced: (state, action: PayloadAction<OrderView>): OrderState => ({
      ...received('place')(state, action),
      placing: action.payload,
    }),
    placeFailed: failed('place'),
    placingSeen: seen,

    /** The call under way is not waited for any more: it is made again, under the same key. */
    callRepeated: (state): OrderState => state,

    /** With how many are shown, at least. */
    ordersRequested: requestedWith<number | undefined>('list'),
    ordersFetched: (state, { payload: { orders, next } }: PayloadAction<OrdersPage>): OrderState => ({
      ...withCalls(state, { list: null, more: null }),
      orders,
      next: next ?? null,
    }),
    ordersFetchFailed: failed('list'),

    moreOrdersRequested: (state): OrderState => withCalls(state, { more: 'pending' }),
    moreOrdersFetched: (state, { payload: { orders, next } }: PayloadAction<OrdersPage>): OrderState => ({
      ...withCalls(state, { more: null }),
      orders: [...state.orders, ...orders],
      next: next ?? null,
    }),
    moreOrdersFailed: (state, { payload }: PayloadAction<Failure>): OrderState => withCalls(state, { more: payload }),

    orderRequested: requestedWith<string>('fetch', (state) => withCalls(state, { cancel: null, return: null })),
    orderFetched: (state, { payload }: PayloadAction<OrderView>): OrderState => ({
      ...withCalls(state, { fetch: null }),
      currentOrder: payload,
    }),
    orderFetchFailed: failed('fetch'),

    cancelRequested: requestedWith<{ readonly id: string; readonly reason: string }>('cancel'),
    orderCancelled: received('cancel'),
    cancelFailed: failed('cancel'),

    returnRequested: requestedWith<ReturnForm & { readonly id: string }>('return'),
    orderReturned: received('return'),
    returnFailed: failed('return'),

    orderReset: ({ orders, next, placing, calls: { place } }): OrderState =>
      withCalls({ ...initialState, orders, next, placing }, { place }),
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
  placingSeen,
  callRepeated,
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
export const { selectOrder } = slice.selectors;
export const orderSlice = slice;
