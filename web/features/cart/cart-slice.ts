import { createSelector, createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import { QUANTITY } from '#domain/cart/cart.ts';
import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { totalsOf, type Totals } from '#domain/order/totals.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { isAnotherShopper, sessionChanged } from '../../lib/session-change.ts';
import { EMPTY_CART, pricedLines, enqueue, applyPending, type Operation } from './optimistic-cart.ts';
import { itemsText } from './cart-count.ts';

/** `message` is what to show: the server's or the error's own. `sentence` is the server's alone, '' when it sent none. */
export type Refusal = { readonly message: string; readonly sentence: string };

type CartState = {
  /** The server's last answer; null before the first. */
  readonly confirmed: CartView | null;
  /** Unconfirmed operations, in the order in which they are sent. */
  readonly pending: readonly Operation[];
  /** How many of them, from the first, have been sent: at most one. */
  readonly sentCount: number;
  /** Something has changed since the last call began, so its answer may be outdated. */
  readonly outdated: boolean;
  readonly loading: boolean;
  readonly error: string | null;
  /** The text of the alert about a failed addition, or null. */
  readonly failedAddition: { readonly sentence: string } | null;
  readonly lastAdded: string | null;
  /** The live region's text. The count makes React re-announce the same text. */
  readonly announcement: { readonly count: number; readonly text: string };
};

const initialState: CartState = {
  confirmed: null,
  pending: [],
  sentCount: 0,
  outdated: false,
  loading: false,
  error: null,
  failedAddition: null,
  lastAdded: null,
  announcement: { count: 0, text: '' },
};

const optimisticCartOf = ({ confirmed, pending }: CartState): CartView => applyPending(confirmed ?? EMPTY_CART, pending);
/** Memoised for selectors. Reducers must not use it: it would keep a draft. */
const selectOptimisticCart = createSelector(
  [(state: CartState) => state.confirmed, (state: CartState) => state.pending],
  (confirmed, pending) => applyPending(confirmed ?? EMPTY_CART, pending),
);
const countOf = (items: readonly CartItemView[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

const announcing = (state: CartState, text: string): CartState => ({
  ...state,
  announcement: { count: state.announcement.count + 1, text },
});
const withPending = (state: CartState, operation: Operation): CartState => ({
  ...state,
  pending: enqueue(state.pending, state.sentCount, operation),
  error: null,
});
/** Removes the first operation of the queue. */
const withoutFirst = (state: CartState): CartState => ({ ...state, pending: state.pending.slice(1), sentCount: 0 });
/** Every call answers with the whole cart, so a fetch requested before the call began is answered too. */
const withConfirmed = (state: CartState, confirmed: CartView): CartState => ({
  ...state,
  confirmed,
  loading: state.loading && state.outdated,
});

const confirmedBy = (state: CartState, cart: CartView): CartState => {
  const [operation] = state.pending;
  const next = withConfirmed(withoutFirst(state), cart);
  if (operation?.kind !== 'add') return next;
  const count = itemsText(countOf(optimisticCartOf(next).items));
  return announcing({ ...next, lastAdded: operation.id }, `${operation.product.name} added to cart. ${count} in your cart.`);
};

const slice = createSlice({
  name: 'cart',
  initialState,
  reducers: {
    /** Requires a fetch that begins after this. */
    cartRequested: (state): CartState => ({ ...state, outdated: true, loading: true, error: null }),
    /** A page shows the cart: joins a fetch under way, else requires one. */
    cartOpened: (state): CartState => ({ ...state, outdated: state.outdated || !state.loading, loading: true, error: null }),
    /** The cart may have changed elsewhere. */
    cartOutdated: (state): CartState => ({ ...state, outdated: true }),
    /** The call under way is not waited for any more: it is made again, an operation under the same key. */
    callRepeated: (state): CartState => ({ ...state, outdated: true, sentCount: 0 }),
    fetchStarted: (state): CartState => ({ ...state, outdated: false }),
    cartFetched: (state, { payload }: PayloadAction<CartView>): CartState => withConfirmed(state, payload),
    // A failed background fetch is only reported if somebody waits for it.
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
        const item = optimisticCartOf(state).items.find(({ productId }) => productId === payload.productId);
        return item ? announcing(withPending(state, payload), `${item.product.name} removed from cart.`) : state;
      },
    },

    /** Operations from before a reload. Nothing has been sent yet. */
    pendingRestored: (state, { payload }: PayloadAction<readonly Operation[]>): CartState => ({
      ...state,
      pending: [...payload, ...state.pending],
    }),
    operationStarted: (state): CartState => ({ ...state, sentCount: 1, outdated: false }),
    operationConfirmed: (state, { payload }: PayloadAction<CartView>): CartState => confirmedBy(state, payload),
    operationFailed: (state, { payload: { message, sentence } }: PayloadAction<Refusal>): CartState => ({
      ...withoutFirst(state),
      // The operation may or may not have reached the server.
      outdated: true,
      error: message,
      failedAddition: state.pending[0]?.kind === 'add' ? { sentence } : state.failedAddition,
    }),
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
    /** `total` is in rupees and leaves out unavailable items. */
    selectCart: createSelector(
      [selectOptimisticCart, (state: CartState) => state.loading, (state: CartState) => state.error],
      ({ items, totalCartValue: total }, loading, error) => ({ items, total, loading, error }),
    ),
    /** In paise. */
    selectCartTotals: createSelector([selectOptimisticCart, (_: CartState, giftWrap = false) => giftWrap], ({ items }, giftWrap): Totals =>
      totalsOf({ lines: pricedLines(items), giftWrap }),
    ),
    selectItemCount: (state) => countOf(selectOptimisticCart(state).items),
    /** Whether the server has answered. */
    selectIsLoaded: (state) => state.confirmed !== null,
    selectPending: (state) => state.pending,
    selectHasPending: (state) => state.pending.length > 0,
    selectIsPending: (state, id: string | undefined) => state.pending.some((operation) => operation.id === id),
    selectLastAdded: (state) => state.lastAdded,
    selectFailedAddition: (state) => state.failedAddition,
    selectAnnouncement: (state) => state.announcement,
    /** What the saga does next. Every answer is the whole cart, so pending operations make a fetch unnecessary. */
    selectNextStep: (state): Operation | 'fetch' | 'nothing' => state.pending[0] ?? (state.outdated ? 'fetch' : 'nothing'),
  },
});

export const {
  cartRequested,
  cartOpened,
  cartOutdated,
  callRepeated,
  fetchStarted,
  cartFetched,
  cartFetchFailed,
  itemAdded,
  quantityChanged,
  itemRemoved,
  pendingRestored,
  operationStarted,
  operationConfirmed,
  operationFailed,
  alertClosed,
} = slice.actions;
export const {
  selectCart,
  selectCartTotals,
  selectItemCount,
  selectIsLoaded,
  selectPending,
  selectHasPending,
  selectIsPending,
  selectLastAdded,
  selectFailedAddition,
  selectAnnouncement,
  selectNextStep,
} = slice.selectors;
export const cartSlice = slice;
