import { createSelector, createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import { QUANTITY } from '#domain/cart/cart.ts';
import type { LineWithoutRoom } from '#domain/cart/events.ts';
import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { computeTotals, type Totals } from '#domain/order/totals.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { isAnotherShopper, sessionChanged } from '../../lib/session-change.ts';
import { EMPTY_CART, pricedLines, enqueue, applyPending, type Operation } from './optimistic-cart.ts';
import { itemsText } from './cart-count.ts';

type CartState = {
  readonly items: readonly CartItemView[];
  /** The total in rupees leaves out unavailable items. */
  readonly total: number;
  readonly loading: boolean;
  readonly error: string | null;
  /** The server's last answer; null before the first. */
  readonly confirmed: CartView | null;
  /** Unconfirmed operations are sent in this order. */
  readonly pending: readonly Operation[];
  /** The cart may have changed since the last call began, so that call's answer may be outdated. */
  readonly outdated: boolean;
  /** The reason why an addition failed, until its alert is closed. */
  readonly failedAddition: string | null;
  /** The lines that did not fit into the user's cart at sign-in, until their notice is closed. */
  readonly noRoomFor: readonly LineWithoutRoom[];
  readonly lastAdded: string | null;
  /** The text of the live region. The count makes React announce the same text again. */
  readonly announcement: { readonly count: number; readonly text: string };
};

const initialState: CartState = {
  items: [],
  total: 0,
  loading: false,
  error: null,
  confirmed: null,
  pending: [],
  outdated: false,
  failedAddition: null,
  noRoomFor: [],
  lastAdded: null,
  announcement: { count: 0, text: '' },
};

/** Every change of the cart goes through here: `items` and `total` are the server's last answer with pending operations applied. */
const withCart = (state: CartState, changes: Partial<Pick<CartState, 'confirmed' | 'pending'>>): CartState => {
  const { confirmed, pending } = { ...state, ...changes };
  const { items, totalCartValue: total } = applyPending(confirmed ?? EMPTY_CART, pending);
  return { ...state, confirmed, pending, items, total };
};
const countItems = (items: readonly CartItemView[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

const announcing = (state: CartState, text: string): CartState => ({
  ...state,
  announcement: { count: state.announcement.count + 1, text },
});
const withPending = (state: CartState, operation: Operation): CartState => ({
  ...withCart(state, { pending: enqueue(state.pending, operation) }),
  error: null,
});
/** Every call answers with the whole cart, so it also answers a fetch requested before the call began. */
const withAnswer = (state: CartState, confirmed: CartView, pending = state.pending): CartState => ({
  ...withCart(state, { confirmed, pending }),
  loading: state.loading && state.outdated,
});

const confirmedBy = (state: CartState, cart: CartView): CartState => {
  const [operation, ...pending] = state.pending;
  const next = withAnswer(state, cart, pending);
  if (operation?.kind !== 'add') return next;
  const count = itemsText(countItems(next.items));
  return announcing({ ...next, lastAdded: operation.id }, `${operation.product.name} added to cart. ${count} in your cart.`);
};

const slice = createSlice({
  name: 'cart',
  initialState,
  reducers: {
    /** Requires a fetch that begins after this action. */
    cartRequested: (state): CartState => ({ ...state, outdated: true, loading: true, error: null }),
    /** A page shows the cart. It uses a fetch that is running, else requires one. */
    cartOpened: (state): CartState => ({ ...state, outdated: state.outdated || !state.loading, loading: true, error: null }),
    cartOutdated: (state): CartState => ({ ...state, outdated: true }),
    /** The running call is aborted and made again. An operation keeps its key. */
    callRepeated: (state): CartState => ({ ...state, outdated: true }),
    callStarted: (state): CartState => ({ ...state, outdated: false }),
    cartFetched: (state, { payload }: PayloadAction<CartView>): CartState => withAnswer(state, payload),
    // A failed background fetch is reported only if a page waits for it.
    cartFetchFailed: (state, { payload }: PayloadAction<string>): CartState =>
      state.loading && !state.outdated ? { ...state, loading: false, error: state.error ?? payload } : state,

    itemAdded: {
      prepare: (product: ProductView, quantity: number) => ({ payload: { kind: 'add' as const, id: nanoid(), product, quantity } }),
      reducer: (state, { payload }: PayloadAction<Operation>): CartState => withPending(state, payload),
    },
    quantityChanged: {
      prepare: (productId: ProductId, quantity: number) => ({ payload: { kind: 'change' as const, id: nanoid(), productId, quantity } }),
      reducer: (state, { payload }: PayloadAction<Extract<Operation, { kind: 'change' }>>): CartState =>
        payload.quantity >= QUANTITY.least && payload.quantity <= QUANTITY.most ? withPending(state, payload) : state,
    },
    itemRemoved: {
      prepare: (productId: ProductId) => ({ payload: { kind: 'remove' as const, id: nanoid(), productId } }),
      reducer: (state, { payload }: PayloadAction<Extract<Operation, { kind: 'remove' }>>): CartState => {
        const item = state.items.find(({ productId }) => productId === payload.productId);
        return item ? announcing(withPending(state, payload), `${item.product.name} removed from cart.`) : state;
      },
    },

    /** These operations were stored before a reload and have not been sent since. */
    pendingRestored: (state, { payload }: PayloadAction<readonly Operation[]>): CartState =>
      withCart(state, { pending: [...payload, ...state.pending] }),
    operationConfirmed: (state, { payload }: PayloadAction<CartView>): CartState => confirmedBy(state, payload),
    operationFailed: (state, { payload }: PayloadAction<string>): CartState => ({
      ...withCart(state, { pending: state.pending.slice(1) }),
      // It is unknown whether the operation reached the server.
      outdated: true,
      error: payload,
      failedAddition: state.pending[0]?.kind === 'add' ? payload : state.failedAddition,
    }),
    linesLeftOut: (state, { payload }: PayloadAction<readonly LineWithoutRoom[]>): CartState => ({ ...state, noRoomFor: payload }),
    leftOutSeen: (state): CartState => ({ ...state, noRoomFor: [] }),
    alertClosed: (state): CartState => ({ ...state, error: null, failedAddition: null }),
  },
  extraReducers: (builder) => {
    builder
      // Signing in merges the visitor's cart and may bring another one.
      .addCase(sessionChanged, (state, action): CartState => ({
        ...(isAnotherShopper(action) ? initialState : state),
        outdated: true,
        loading: true,
        error: null,
      }));
  },
  selectors: {
    selectCart: (state): Pick<CartState, 'items' | 'total' | 'loading' | 'error'> => state,
    /** Amounts are in paise. */
    selectCartTotals: createSelector(
      [(state: CartState) => state.items, (_: CartState, giftWrap = false) => giftWrap],
      (items, giftWrap): Totals => computeTotals({ lines: pricedLines(items), giftWrap }),
    ),
    /** Whether a line has no known tax rate yet, because the server has not answered since the perfume was added. */
    selectIsTaxPending: ({ items, confirmed }) =>
      items.some(({ productId, rate }) => rate === undefined && !confirmed?.items.some((item) => item.productId === productId)),
    selectItemCount: (state) => countItems(state.items),
    selectIsLoaded: (state) => state.confirmed !== null,
    selectPending: (state) => state.pending,
    selectHasPending: (state) => state.pending.length > 0,
    selectIsPending: (state, id: string | undefined) => state.pending.some((operation) => operation.id === id),
    selectLastAdded: (state) => state.lastAdded,
    selectFailedAddition: (state) => state.failedAddition,
    selectLeftOut: (state) => state.noRoomFor,
    selectAnnouncement: (state) => state.announcement,
    /** Returns the saga's next step. Every answer is the whole cart, so pending operations make a fetch unnecessary. */
    selectNextStep: (state): Operation | 'fetch' | 'nothing' => state.pending[0] ?? (state.outdated ? 'fetch' : 'nothing'),
  },
});

export const { cartRequested, cartOpened, cartOutdated, cartFetched, cartFetchFailed, callRepeated, callStarted } = slice.actions;
export const { itemAdded, quantityChanged, itemRemoved, operationConfirmed, operationFailed, alertClosed } = slice.actions;
export const { linesLeftOut, leftOutSeen } = slice.actions;
export const { selectCart, selectCartTotals, selectItemCount, selectIsLoaded, selectIsTaxPending, selectNextStep } = slice.selectors;
export const { selectHasPending, selectIsPending, selectLastAdded, selectFailedAddition, selectLeftOut, selectAnnouncement } =
  slice.selectors;
export const cartSlice = slice;
