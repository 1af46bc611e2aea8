import { createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { CheckoutFields } from '#domain/order/checkout.ts';
import type { OrderView } from '#domain/order/view.ts';
import type { AgainOutcome } from './buy-again.ts';
import { isPrepaidRefusal, type Failure } from './order-failure.ts';
import type { CheckedOrder, FetchedOrder, OrdersPage, PlaceRequest, ReturnForm } from './order-api.ts';

type Operation = 'create' | 'refresh' | 'place' | 'list' | 'more' | 'fetch' | 'cancel' | 'return' | 'pay' | 'check' | 'again';

/** The state of the last request of each kind: 'pending', its failure, or nothing when it was answered. */
type Calls = { readonly [Each in Operation]?: 'pending' | Failure | null | undefined };

type Placing = Pick<OrderView, 'orderNumber' | 'placedAt'> & { readonly _id: string };

export type OrdersState = {
  readonly orders: readonly OrderView[];
  readonly currentOrder: OrderView | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly success: boolean;
  readonly calls: Calls;
  /** The cursor of the next orders; null after the last one, undefined before any were loaded. */
  readonly next: string | null | undefined;
  /** The order being placed, kept until the shopper has seen the outcome. */
  readonly placing: Placing | null;
  /** The order of the last `pay` call, which stays pending until the browser has left for the gateway. */
  readonly paying: string | null;
  /** The gateway's last answer about an order that is still due: why the last payment failed, if it did. */
  readonly checked: { readonly _id: string; readonly why: string | undefined } | null;
  /** The order as the desk or the gateway moved it while its page was open. */
  readonly moved: OrderView | null;
  /** The order that is or was bought again last, and what came of it. */
  readonly again: { readonly _id: string; readonly outcome: AgainOutcome | undefined } | null;
  /** A mailed link opened these orders, which are not the session's own. */
  readonly byLink: readonly string[];
  /** Staff are shown these orders, which are not their own. */
  readonly asStaff: readonly string[];
  /** Prepaid was refused, because the shop has no payment gateway at the moment. */
  readonly hasNoPrepaid: boolean;
};
const initialState: OrdersState = {
  orders: [],
  currentOrder: null,
  loading: false,
  error: null,
  success: false,
  calls: {},
  next: undefined,
  placing: null,
  paying: null,
  checked: null,
  moved: null,
  again: null,
  byLink: [],
  asStaff: [],
  hasNoPrepaid: false,
};

/** The cart is part of the intent: the same form with another cart needs another idempotency key. */
export type CartQuantities = readonly { readonly productId: string; readonly quantity: number }[];

export const isPending = ({ calls }: OrdersState, operation: Operation): boolean => calls[operation] === 'pending';
export const findFailure = ({ calls }: OrdersState, operation: Operation): Failure | null => {
  const call = calls[operation];
  return call === 'pending' || call === undefined ? null : call;
};

const withCalls = (state: OrdersState, changes: Partial<Calls>): OrdersState => {
  const calls = { ...state.calls, ...changes };
  return { ...state, calls, loading: Object.values(calls).includes('pending') };
};

/** Removes the outcome of placing, which the shopper has seen. A running request continues wherever the shopper goes. */
const seen = (state: OrdersState): OrdersState =>
  isPending(state, 'place') ? state : { ...withCalls(state, { place: null }), placing: null };

const requested = (state: OrdersState, changes: Partial<Calls>): OrdersState => ({
  ...withCalls(state, changes),
  error: null,
  success: false,
});
/** Only marks the request as pending; the saga reads the payload. `supersede` removes state that is outdated by the request. */
const requestedWith =
  <Payload>(operation: Operation, supersede = (state: OrdersState) => state): CaseReducer<OrdersState, PayloadAction<Payload>> =>
  (state) =>
    requested(supersede(state), { [operation]: 'pending' });
const withAnswer = (state: OrdersState, order: OrderView): OrdersState => ({
  ...state,
  orders: state.orders.map((each) => (each._id === order._id ? order : each)),
  currentOrder: state.currentOrder?._id === order._id ? order : state.currentOrder,
});
const received =
  (operation: Operation) =>
  (state: OrdersState, { payload }: PayloadAction<OrderView>): OrdersState => ({
    ...withCalls(state, { [operation]: null }),
    success: true,
    currentOrder: payload,
  });
const failed =
  (operation: Operation) =>
  (state: OrdersState, { payload }: PayloadAction<Failure>): OrdersState => ({
    ...withCalls(state, { [operation]: payload }),
    error: payload.message,
  });

/** An older state may arrive after the answer to a command. */
const isNews = (before: OrderView | null, now: OrderView): before is OrderView =>
  before?._id === now._id && before.history.length <= now.history.length && JSON.stringify(before) !== JSON.stringify(now);

const including = (ids: readonly string[], id: string): readonly string[] => (ids.includes(id) ? ids : [...ids, id]);

const asked: CaseReducer<OrdersState, PayloadAction<string>> = (state) => ({ ...withCalls(state, { check: 'pending' }), checked: null });

const slice = createSlice({
  name: 'order',
  initialState,
  reducers: {
    createRequested: requestedWith<{ readonly form: CheckoutFields; readonly lines: CartQuantities }>('create'),
    orderCreated: received('create'),
    createFailed: failed('create'),

    /** Creates the draft again at current prices. */
    refreshRequested: requestedWith<OrderView>('refresh', seen),
    orderRefreshed: (state, { payload }: PayloadAction<{ readonly before: OrderView; readonly now: OrderView }>): OrdersState => ({
      ...withCalls(state, { refresh: null }),
      success: true,
      currentOrder: payload.now,
    }),
    refreshFailed: failed('refresh'),

    /** The shopper left the form or the review, so requests made there must not navigate any more. */
    draftLeft: (state): OrdersState => withCalls(seen(state), { create: null, refresh: null }),

    placeRequested: (state, { payload: { id } }: PayloadAction<PlaceRequest>): OrdersState => ({
      ...requested(state, { refresh: null, place: 'pending' }),
      placing: { _id: id, orderNumber: null, placedAt: null },
    }),
    orderPlaced: (state, action: PayloadAction<OrderView>): OrdersState => ({
      ...received('place')(state, action),
      placing: action.payload,
    }),
    placeFailed: (state, action: PayloadAction<Failure>): OrdersState => ({
      ...failed('place')(state, action),
      hasNoPrepaid: state.hasNoPrepaid || isPrepaidRefusal(action.payload),
    }),
    placingSeen: seen,

    /** The running call is aborted and made again with the same key. */
    callRepeated: (state): OrdersState => state,

    /** The payload is the minimum number of orders to fetch. */
    ordersRequested: requestedWith<number | undefined>('list'),
    ordersFetched: (state, { payload: { orders, next } }: PayloadAction<OrdersPage>): OrdersState => ({
      ...withCalls(state, { list: null, more: null }),
      orders,
      next: next ?? null,
    }),
    ordersFetchFailed: failed('list'),

    moreOrdersRequested: (state): OrdersState => withCalls(state, { more: 'pending' }),
    moreOrdersFetched: (state, { payload: { orders, next } }: PayloadAction<OrdersPage>): OrdersState => ({
      ...withCalls(state, { more: null }),
      orders: [...state.orders, ...orders],
      next: next ?? null,
    }),
    moreOrdersFailed: (state, { payload }: PayloadAction<Failure>): OrdersState => withCalls(state, { more: payload }),

    orderRequested: requestedWith<string>('fetch', (state) => ({
      ...withCalls(state, { cancel: null, return: null, check: null }),
      checked: null,
    })),
    orderFetched: (state, { payload: { byLink, mailProblem, ...order } }: PayloadAction<FetchedOrder>): OrdersState => ({
      ...withAnswer(withCalls(state, { fetch: null }), order),
      currentOrder: order,
      byLink: byLink ? including(state.byLink, order._id) : state.byLink,
      asStaff: mailProblem !== undefined ? including(state.asStaff, order._id) : state.asStaff,
    }),
    orderFetchFailed: failed('fetch'),

    orderMoved: (state, { payload }: PayloadAction<OrderView>): OrdersState =>
      isNews(state.currentOrder, payload) ? { ...withAnswer(state, payload), moved: payload } : state,

    cancelRequested: requestedWith<{ readonly id: string; readonly reason: string }>('cancel'),
    orderCancelled: received('cancel'),
    cancelFailed: failed('cancel'),

    returnRequested: requestedWith<ReturnForm & { readonly id: string }>('return'),
    orderReturned: received('return'),
    returnFailed: failed('return'),

    /** The browser goes to the gateway's page, unless the shopper leaves this page first. */
    payRequested: (state, { payload }: PayloadAction<string>): OrdersState => ({
      ...withCalls(state, { pay: 'pending' }),
      paying: payload,
    }),
    payFailed: (state, { payload }: PayloadAction<Failure>): OrdersState => withCalls(state, { pay: payload }),
    payLeft: (state, { payload }: PayloadAction<string>): OrdersState =>
      state.paying === payload ? { ...withCalls(state, { pay: null }), paying: null } : state,

    againRequested: (state, { payload: { _id } }: PayloadAction<OrderView>): OrdersState => ({
      ...withCalls(state, { again: 'pending' }),
      again: { _id, outcome: undefined },
    }),
    boughtAgain: (state, { payload }: PayloadAction<AgainOutcome>): OrdersState => ({
      ...withCalls(state, { again: null }),
      again: state.again && { ...state.again, outcome: payload },
    }),
    againFailed: (state, { payload }: PayloadAction<Failure>): OrdersState => withCalls(state, { again: payload }),

    checkRequested: asked,
    paymentChecked: (state, { payload: { paymentFailure, ...order } }: PayloadAction<CheckedOrder>): OrdersState => ({
      ...withAnswer(withCalls(state, { check: null }), order),
      checked: order.payment.status === 'due' ? { _id: order._id, why: paymentFailure } : null,
    }),
    checkFailed: (state, { payload }: PayloadAction<Failure>): OrdersState => withCalls(state, { check: payload }),

    orderReset: ({ orders, next, placing, hasNoPrepaid, calls: { place } }): OrdersState =>
      withCalls({ ...initialState, orders, next, placing, hasNoPrepaid }, { place }),
  },
  selectors: { selectOrder: (state) => state },
});

export const { createRequested, refreshRequested, orderRefreshed, draftLeft, callRepeated, orderReset } = slice.actions;
export const { placeRequested, orderPlaced, placeFailed, placingSeen, cancelRequested, returnRequested } = slice.actions;
export const { orderRequested, orderFetched, orderMoved, ordersRequested, ordersFetched, moreOrdersRequested } = slice.actions;
export const { payRequested, payLeft, checkRequested, againRequested } = slice.actions;
export const { selectOrder } = slice.selectors;
export const orderSlice = slice;
