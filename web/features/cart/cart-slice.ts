import { createSelector, createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit';
import { QUANTITY } from '#domain/cart/cart.ts';
import type { CartItemView, CartView } from '#domain/cart/view.ts';
import { totalsOf, type Totals } from '#domain/order/totals.ts';
import type { ProductView } from '#domain/product/view.ts';
import type { ProductId } from '#domain/shared/ids.ts';
import { EMPTY_CART, pricedLines, queuedWith, shownCart, type Operation } from './optimistic-cart.ts';
import { itemsText } from './cart-count.ts';

/** A refused call: the server's message or the error's own text, and the server's sentence alone, empty when it said none. */
export type Refusal = { readonly message: string; readonly sentence: string };

type CartState = {
  /** As the server last told it; null until it has. */
  readonly confirmed: CartView | null;
  /** What it has not confirmed, in the order in which it is told. */
  readonly pending: readonly Operation[];
  /** How many of them, from the first, are told already and not answered: one at most. */
  readonly underWay: number;
  /** Something happened since the last call began that its answer may not know of. */
  readonly outdated: boolean;
  readonly loading: boolean;
  readonly error: string | null;
  /** What the alert says about an addition that failed; null when there is nothing to say. */
  readonly failedAddition: { readonly sentence: string } | null;
  readonly lastAdded: string | null;
  /** For those who hear the page; numbered, so that the same words are said again. */
  readonly said: { readonly count: number; readonly text: string };
  /** For the packing room. No call takes it: it lives as long as the page. */
  readonly note: string;
};

const initialState: CartState = {
  confirmed: null,
  pending: [],
  underWay: 0,
  outdated: false,
  loading: false,
  error: null,
  failedAddition: null,
  lastAdded: null,
  said: { count: 0, text: '' },
  note: '',
};

const shownOf = ({ confirmed, pending }: CartState): CartView => shownCart(confirmed ?? EMPTY_CART, pending);
/** For selectors alone: what it remembers must not be a draft of a reducer. */
const shownIn = createSelector([(state: CartState) => state.confirmed, (state: CartState) => state.pending], (confirmed, pending) =>
  shownCart(confirmed ?? EMPTY_CART, pending),
);
const countOf = (items: readonly CartItemView[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

const saying = (state: CartState, text: string): CartState => ({ ...state, said: { count: state.said.count + 1, text } });
const withPending = (state: CartState, operation: Operation): CartState => ({
  ...state,
  pending: queuedWith(state.pending, state.underWay, operation),
  error: null,
});
/** The first of the queue has its answer. */
const answered = (state: CartState): CartState => ({ ...state, pending: state.pending.slice(1), underWay: 0 });
/** The whole cart, as every call answers it: what was asked for before that call began is answered with it. */
const told = (state: CartState, confirmed: CartView): CartState => ({ ...state, confirmed, loading: state.loading && state.outdated });

const confirmedBy = (state: CartState, cart: CartView): CartState => {
  const [operation] = state.pending;
  const next = told(answered(state), cart);
  if (operation?.kind !== 'add') return next;
  const count = itemsText(countOf(shownOf(next).items));
  return saying({ ...next, lastAdded: operation.id }, `${operation.product.name} added to cart. ${count} in your cart.`);
};

const slice = createSlice({
  name: 'cart',
  initialState,
  reducers: {
    /** Somebody waits for the cart, and for no answer to a call that has begun. */
    cartRequested: (state): CartState => ({ ...state, outdated: true, loading: true, error: null }),
    /** A page shows the cart, as it is now: it waits with whoever waits already. */
    cartOpened: (state): CartState => ({ ...state, outdated: state.outdated || !state.loading, loading: true, error: null }),
    /** The cart may have changed elsewhere. */
    cartOutdated: (state): CartState => ({ ...state, outdated: true }),
    fetchStarted: (state): CartState => ({ ...state, outdated: false }),
    cartFetched: (state, { payload }: PayloadAction<CartView>): CartState => told(state, payload),
    // Unless somebody waits for it, nobody needs to hear that it did not come.
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
        const item = shownOf(state).items.find(({ productId }) => productId === payload.productId);
        return item ? saying(withPending(state, payload), `${item.product.name} removed from cart.`) : state;
      },
    },

    /** The page was away before the server had confirmed these. */
    pendingRestored: (state, { payload }: PayloadAction<readonly Operation[]>): CartState => ({ ...state, pending: payload }),
    operationStarted: (state): CartState => ({ ...state, underWay: 1, outdated: false }),
    operationConfirmed: (state, { payload }: PayloadAction<CartView>): CartState => confirmedBy(state, payload),
    operationFailed: (state, { payload: { message, sentence } }: PayloadAction<Refusal>): CartState => ({
      ...answered(state),
      // Whether it came to the server before the connection was lost, only the server can tell.
      outdated: true,
      error: message,
      failedAddition: state.pending[0]?.kind === 'add' ? { sentence } : state.failedAddition,
    }),
    alertClosed: (state): CartState => ({ ...state, error: null, failedAddition: null }),

    noteChanged: (state, { payload: note }: PayloadAction<string>): CartState => ({ ...state, note }),
    /** Another shopper stands before the screen. */
    cartReset: () => initialState,
  },
  selectors: {
    /** Specification, section 4: `total` is in rupees and leaves out what is unavailable. */
    selectCart: createSelector(
      [shownIn, (state: CartState) => state.loading, (state: CartState) => state.error],
      ({ items, totalCartValue: total }, loading, error) => ({ items, total, loading, error }),
    ),
    /** What an order of this cart comes to, in paise. */
    selectCartTotals: createSelector([shownIn, (_: CartState, giftWrap = false) => giftWrap], ({ items }, giftWrap): Totals =>
      totalsOf({ lines: pricedLines(items), giftWrap }),
    ),
    selectItemCount: (state) => countOf(shownIn(state).items),
    /** Whether the server has told what is in the cart. */
    selectIsLoaded: (state) => state.confirmed !== null,
    selectPending: (state) => state.pending,
    selectHasPending: (state) => state.pending.length > 0,
    selectIsPending: (state, id: string | undefined) => state.pending.some((operation) => operation.id === id),
    selectLastAdded: (state) => state.lastAdded,
    selectFailedAddition: (state) => state.failedAddition,
    selectAnnouncement: (state) => state.said,
    selectNote: (state) => state.note,
    /** What the saga does next. Every answer is the whole cart, so operations make a fetch before them needless. */
    selectNextStep: (state): Operation | 'fetch' | 'nothing' => state.pending[0] ?? (state.outdated ? 'fetch' : 'nothing'),
  },
});

export const {
  cartRequested,
  cartOpened,
  cartOutdated,
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
  noteChanged,
  cartReset,
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
  selectNote,
  selectNextStep,
} = slice.selectors;
export const cartSlice = slice;
