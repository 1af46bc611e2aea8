import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CheckoutForm } from '#domain/order/checkout-form.ts';
import type { ShippingAddress, ShippingField } from '#domain/order/shipping.ts';
import type { OrderView } from '#domain/order/view.ts';
import { createRequested, orderPlaced, orderRefreshed, orderReset } from '../order-slice.ts';

/** What the shop knows of who is signed in. */
export type Shopper = Pick<ShippingAddress, 'name' | 'email' | 'phone'>;

type CheckoutState = {
  /** As typed so far. Here and not with the page: who has to sign in again, or goes back to the cart, finds it as it was. */
  readonly form: CheckoutForm;
  /** The order as it was before it was refreshed, so that the review can say what changed. */
  readonly before: OrderView | null;
};
const initialState: CheckoutState = { form: { shipping: {}, giftWrap: false, giftMessage: '' }, before: null };

const contact = ['name', 'phone', 'email'] as const satisfies readonly ShippingField[];
const place = ['address1', 'address2', 'city', 'state', 'postalCode', 'country'] as const satisfies readonly ShippingField[];

const isBlank = ({ shipping }: CheckoutForm, field: ShippingField): boolean => (shipping[field] ?? '').trim() === '';

/** Only into what is empty: the shop never overwrites what somebody typed. */
const withShipping = (form: CheckoutForm, fields: readonly ShippingField[], known: Partial<ShippingAddress>): CheckoutForm => {
  const filled = fields.filter((field) => isBlank(form, field)).map((field) => [field, known[field] ?? '']);
  return { ...form, shipping: { ...form.shipping, ...Object.fromEntries(filled) } };
};

const slice = createSlice({
  name: 'checkout',
  initialState,
  reducers: {
    /** By who it is that checks out; null for a visitor. */
    checkoutOpened: (state, { payload: shopper }: PayloadAction<Shopper | null>): CheckoutState =>
      shopper === null ? state : { ...state, form: withShipping(state.form, contact, shopper) },
    /** Where the shopper's last order went. Whole or not at all: half of one address and half of another is none. */
    lastAddressFound: (state, { payload }: PayloadAction<ShippingAddress>): CheckoutState =>
      place.every((field) => isBlank(state.form, field)) ? { ...state, form: withShipping(state.form, place, payload) } : state,
    formTyped: (state, { payload }: PayloadAction<CheckoutForm>): CheckoutState => ({ ...state, form: payload }),
    /** From the review back to the form, which after a reload of the page knows nothing of the order. */
    draftEdited: (state, { payload: { shippingAddress, giftWrap, giftMessage } }: PayloadAction<OrderView>): CheckoutState => ({
      ...state,
      form: { shipping: shippingAddress, giftWrap, giftMessage },
    }),
  },
  extraReducers: (builder) =>
    builder
      .addCase(createRequested, (state): CheckoutState => ({ ...state, before: null }))
      .addCase(orderReset, (state): CheckoutState => ({ ...state, before: null }))
      .addCase(orderRefreshed, (state, { payload }): CheckoutState => ({ ...state, before: payload.before }))
      // The address serves the next order as well, the gift was for this one.
      .addCase(orderPlaced, ({ form }): CheckoutState => ({ ...initialState, form: { ...initialState.form, shipping: form.shipping } })),
  selectors: {
    selectCheckoutForm: ({ form }) => form,
    selectLastAddress: ({ before }) => before,
  },
});

export const { checkoutOpened, lastAddressFound, formTyped, draftEdited } = slice.actions;
export const { selectCheckoutForm, selectLastAddress } = slice.selectors;
export const checkoutSlice = slice;
