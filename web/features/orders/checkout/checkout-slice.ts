import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { BLANK_FORM, formOf, type CheckoutFields, type ShippingField } from '#domain/order/checkout.ts';
import type { ShippingAddress } from '#domain/order/events.ts';
import { isBlank } from '#domain/shared/text.ts';
import type { OrderView } from '#domain/order/view.ts';
import { type Identity, sessionChanged } from '../../../lib/session-change.ts';
import { createRequested, orderPlaced, orderRefreshed, orderReset } from '../order-slice.ts';

export type KnownContact = Readonly<Record<'name' | 'email' | 'phone', string>>;

type CheckoutState = {
  /** The typed values. They are in the store, so that signing in again or going back to the cart does not lose them. */
  readonly form: CheckoutFields;
  /** The order before the refresh, so that the review can show what changed. */
  readonly before: OrderView | null;
  /** The form of a user whose session has expired. It is kept for them and shown to nobody else. */
  readonly expired: { readonly userId: string; readonly form: CheckoutFields } | null;
};
const initialState: CheckoutState = { form: BLANK_FORM, before: null, expired: null };

/** The form that is stored over a reload, and its user; null for a visitor. */
export type KeptForm = Pick<CheckoutState, 'form' | 'expired'> & { readonly userId: Identity };

/** The fields that were typed into. */
export type TypedFields = Partial<Omit<CheckoutFields, 'shipping'>> & { readonly shipping?: Partial<CheckoutFields['shipping']> };

export const withTyped = (form: CheckoutFields, typed: TypedFields): CheckoutFields => ({
  ...form,
  ...typed,
  shipping: { ...form.shipping, ...typed.shipping },
});

/** Fills in fields that the stored form may lack, because an earlier release stored it. */
const restored = ({ userId, form, expired }: KeptForm): CheckoutState => {
  const whole = withTyped(BLANK_FORM, form);
  return userId === null ? { ...initialState, form: whole, expired } : { ...initialState, expired: { userId, form: whole } };
};

const contact = ['name', 'phone', 'email'] as const satisfies readonly ShippingField[];
const place = ['address1', 'address2', 'city', 'state', 'postalCode', 'country'] as const satisfies readonly ShippingField[];

/** Returns whether nobody typed into the field: it is blank or preset. */
const isUntouched = ({ shipping }: CheckoutFields, field: ShippingField): boolean =>
  isBlank(shipping[field]) || shipping[field] === BLANK_FORM.shipping[field];

/** Fills in untouched fields and never overwrites typed values. */
const withShipping = <Field extends ShippingField>(
  form: CheckoutFields,
  fields: readonly Field[],
  known: Readonly<Record<Field, string>>,
): CheckoutFields => {
  const filled = fields.filter((field) => isUntouched(form, field)).map((field) => [field, known[field]]);
  return withTyped(form, { shipping: Object.fromEntries(filled) });
};

const slice = createSlice({
  name: 'checkout',
  initialState,
  reducers: {
    /** The payload is the signed-in shopper, or null. */
    checkoutOpened: (state, { payload: shopper }: PayloadAction<KnownContact | null>): CheckoutState =>
      shopper === null ? state : { ...state, form: withShipping(state.form, contact, shopper) },
    /** The shopper's last address is used as a whole or not at all; it is never mixed with typed fields. */
    lastAddressFound: (state, { payload }: PayloadAction<ShippingAddress>): CheckoutState =>
      place.every((field) => isUntouched(state.form, field)) ? { ...state, form: withShipping(state.form, place, payload) } : state,
    formTyped: (state, { payload }: PayloadAction<TypedFields>): CheckoutState => ({ ...state, form: withTyped(state.form, payload) }),
    /** After a reload, a user's form is put aside until it is known that the same user is signed in. */
    formRestored: (_, { payload }: PayloadAction<KeptForm>): CheckoutState => restored(payload),
    /** The payload is the first user known after a reload. */
    formOwnerFound: (state, { payload: userId }: PayloadAction<string>): CheckoutState => {
      const form = state.expired?.userId === userId ? state.expired?.form : undefined;
      return { ...state, form: form ?? state.form, expired: null };
    },
    /** Fills the form from the order when the shopper returns from the review, because a reload may have emptied it. */
    draftEdited: (state, { payload: order }: PayloadAction<OrderView>): CheckoutState => ({ ...state, form: formOf(order) }),
  },
  extraReducers: (builder) =>
    builder
      .addCase(sessionChanged, ({ form, expired }, { payload: { from, to, expired: isExpired } }): CheckoutState => {
        if (from !== null && isExpired) return { ...initialState, expired: { userId: from, form } };
        if (to !== null && expired?.userId === to) return { ...initialState, form: expired.form };
        return from === null && to !== null ? { ...initialState, form } : initialState;
      })
      .addCase(createRequested, (state): CheckoutState => ({ ...state, before: null }))
      .addCase(orderReset, (state): CheckoutState => ({ ...state, before: null }))
      .addCase(orderRefreshed, (state, { payload }): CheckoutState => ({ ...state, before: payload.before }))
      // The address is kept for the next order; gift options and note are not.
      .addCase(orderPlaced, (state): CheckoutState => ({
        ...state,
        before: null,
        form: { ...initialState.form, shipping: state.form.shipping },
      })),
  selectors: {
    selectCheckoutForm: ({ form }) => form,
    /** Undefined when nothing was typed. */
    selectFormToKeep: createSelector([({ form }: CheckoutState) => form, ({ expired }: CheckoutState) => expired], (form, expired) =>
      form === initialState.form && expired === null ? undefined : { form, expired },
    ),
    selectHasExpired: ({ expired }) => expired !== null,
    selectOrderBefore: ({ before }) => before,
  },
});

export const { checkoutOpened, lastAddressFound, formTyped, formRestored, formOwnerFound, draftEdited } = slice.actions;
export const { selectCheckoutForm, selectFormToKeep, selectHasExpired, selectOrderBefore } = slice.selectors;
export const checkoutSlice = slice;
