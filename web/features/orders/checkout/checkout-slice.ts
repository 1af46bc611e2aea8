import { createSelector, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import {
  BLANK_FORM,
  formOf,
  mapShipping,
  shippingFields,
  type CheckoutFields,
  type SavedAddress,
  type ShippingField,
} from '#domain/order/checkout.ts';
import type { ShippingAddress } from '#domain/order/events.ts';
import { isBlank } from '#domain/shared/text.ts';
import type { OrderView } from '#domain/order/view.ts';
import { type Identity, sessionChanged } from '../../../lib/session-change.ts';
import { createRequested, orderPlaced, orderRefreshed, orderReset } from '../order-slice.ts';

export type KnownContact = Readonly<Record<'name' | 'email' | 'phone', string>>;
type FoundAddresses = { readonly addresses: readonly SavedAddress[]; readonly shopper: KnownContact };

type CheckoutState = {
  /** The typed values. They are in the store, so that signing in again or going back to the cart does not lose them. */
  readonly form: CheckoutFields;
  /** The order before the refresh, so that the review can show what changed. */
  readonly before: OrderView | null;
  /** The form of a user whose session has expired. It is kept for them and shown to nobody else. */
  readonly expired: { readonly userId: string; readonly form: CheckoutFields } | null;
  /** The addresses that the signed-in shopper keeps, the default first; null for a visitor and before they are known. */
  readonly addresses: readonly SavedAddress[] | null;
  /** The shopper wishes to keep the address of the form. */
  readonly saves: boolean;
  /** Says why the address of the last checkout could not be kept. */
  readonly notSaved: string | null;
};
const initialState: CheckoutState = { form: BLANK_FORM, before: null, expired: null, addresses: null, saves: false, notSaved: null };

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

const shippingOf = (address: Readonly<Record<ShippingField, string>>): CheckoutFields['shipping'] => mapShipping((field) => address[field]);

/** The e-mail of a kept address may be blank: then that of the form stays. */
const withAddress = (form: CheckoutFields, address: SavedAddress): CheckoutFields =>
  withTyped(form, { shipping: { ...shippingOf(address), email: isBlank(address.email) ? form.shipping.email : address.email } });

/** Returns the kept address that the form has. */
export const findChosen = ({ shipping }: CheckoutFields, addresses: readonly SavedAddress[]): SavedAddress | undefined =>
  addresses.find((each) => shippingFields.every((field) => each[field] === shipping[field] || (field === 'email' && isBlank(each.email))));

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
      place.every((field) => isUntouched(state.form, field))
        ? { ...state, form: withShipping(state.form, [...place, ...contact], payload) }
        : state,
    /** The default is filled in, unless the shopper has typed something else meanwhile. */
    addressesFound: (state, { payload }: PayloadAction<FoundAddresses>): CheckoutState => {
      const { addresses, shopper } = payload;
      const { form } = state;
      const isFree = (field: keyof KnownContact): boolean => isUntouched(form, field) || form.shipping[field] === shopper[field];
      const [first] = addresses;
      const fills = first !== undefined && place.every((field) => isUntouched(form, field)) && contact.every(isFree);
      return { ...state, addresses, form: fills ? withAddress(form, first) : form };
    },
    addressChosen: (state, { payload }: PayloadAction<SavedAddress>): CheckoutState => ({
      ...state,
      saves: false,
      form: withAddress(state.form, payload),
    }),
    /** The shopper types another one. */
    newAddressChosen: (state): CheckoutState => ({
      ...state,
      form: withTyped(state.form, { shipping: { ...BLANK_FORM.shipping, email: state.form.shipping.email } }),
    }),
    savingChosen: (state, { payload: saves }: PayloadAction<boolean>): CheckoutState => ({ ...state, saves }),
    addressSaved: (state, { payload }: PayloadAction<SavedAddress>): CheckoutState => ({
      ...state,
      saves: false,
      addresses: [...(state.addresses ?? []), payload],
    }),
    addressNotSaved: (state, { payload: notSaved }: PayloadAction<string>): CheckoutState => ({ ...state, notSaved }),
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
      .addCase(createRequested, (state): CheckoutState => ({ ...state, before: null, notSaved: null }))
      .addCase(orderReset, (state): CheckoutState => ({ ...state, before: null }))
      .addCase(orderRefreshed, (state, { payload }): CheckoutState => ({ ...state, before: payload.before }))
      // The address is kept for the next order; gift options and note are not.
      .addCase(orderPlaced, (state): CheckoutState => ({
        ...state,
        before: null,
        notSaved: null,
        form: { ...initialState.form, shipping: state.form.shipping },
      })),
  selectors: {
    selectCheckoutForm: ({ form }) => form,
    /** Undefined when nothing was typed. */
    selectFormToKeep: createSelector([({ form }: CheckoutState) => form, ({ expired }: CheckoutState) => expired], (form, expired) =>
      form === initialState.form && expired === null ? undefined : { form, expired },
    ),
    selectAddresses: ({ addresses }) => addresses,
    selectSavesAddress: ({ saves, addresses }) => saves && addresses !== null,
    selectNotSaved: ({ notSaved }) => notSaved,
    selectHasExpired: ({ expired }) => expired !== null,
    selectOrderBefore: ({ before }) => before,
  },
});

export const { addressesFound, addressChosen, newAddressChosen, savingChosen, addressSaved, addressNotSaved } = slice.actions;
export const { selectAddresses, selectSavesAddress, selectNotSaved } = slice.selectors;
export const { checkoutOpened, lastAddressFound, formTyped, formRestored, formOwnerFound, draftEdited } = slice.actions;
export const { selectCheckoutForm, selectFormToKeep, selectHasExpired, selectOrderBefore } = slice.selectors;
export const checkoutSlice = slice;
