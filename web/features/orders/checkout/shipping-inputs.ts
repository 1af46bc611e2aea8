import type { ComponentProps } from 'react';
import { shippingFields, type ShippingField } from '#domain/order/shipping.ts';
import type { Field } from '../../../ui/form/Field.tsx';

type ShippingInput = Pick<ComponentProps<typeof Field>, 'label' | 'type' | 'autoComplete' | 'inputMode' | 'optional' | 'hint'> & {
  readonly wide?: true;
};

/** How each field of the address is asked for; the names for `autocomplete` let the browser fill all of it in. */
const inputs: Readonly<Record<ShippingField, ShippingInput>> = {
  name: { label: 'Name', autoComplete: 'shipping name', wide: true },
  address1: { label: 'Address line 1', autoComplete: 'shipping address-line1', wide: true },
  address2: { label: 'Address line 2', autoComplete: 'shipping address-line2', optional: true, wide: true },
  city: { label: 'City', autoComplete: 'shipping address-level2' },
  state: { label: 'State', autoComplete: 'shipping address-level1' },
  postalCode: { label: 'Postal code', autoComplete: 'shipping postal-code' },
  country: { label: 'Country', autoComplete: 'shipping country-name' },
  phone: { label: 'Phone', type: 'tel', autoComplete: 'shipping tel' },
  email: { label: 'Email', type: 'email', autoComplete: 'shipping email', hint: 'The confirmation goes here.' },
};

/** In the order of the form. */
export const shippingInputs = shippingFields.map((name) => ({ name, ...inputs[name] }));
