import type { ComponentProps } from 'react';
import { BLANK_FORM, shippingFields, type CheckoutFields, type ShippingField } from '#domain/order/checkout.ts';
import { isIndia, readState, states } from '#domain/shared/states.ts';
import { isBlank } from '#domain/shared/text.ts';
import { cx } from '../cx.ts';
import { Field } from '../form/Field.tsx';
import { SelectField } from '../form/SelectField.tsx';
import type { FormField } from '../form/use-validated-form.ts';

type ShippingInput = Pick<ComponentProps<typeof Field>, 'label' | 'type' | 'autoComplete' | 'inputMode' | 'optional' | 'hint'> & {
  readonly wide?: true;
};

/** Labels and input types of the address fields. The `autocomplete` names let the browser fill in all of them. */
const inputs: Readonly<Record<ShippingField, ShippingInput>> = {
  name: { label: 'Name', autoComplete: 'shipping name', wide: true },
  address1: { label: 'Address line 1', autoComplete: 'shipping address-line1', wide: true },
  address2: { label: 'Address line 2', autoComplete: 'shipping address-line2', optional: true, wide: true },
  city: { label: 'City', autoComplete: 'shipping address-level2' },
  state: { label: 'State', autoComplete: 'shipping address-level1' },
  postalCode: { label: 'Postal code', autoComplete: 'shipping postal-code' },
  country: { label: 'Country', autoComplete: 'shipping country-name' },
  phone: { label: 'Phone', type: 'tel', autoComplete: 'shipping tel' },
  email: { label: 'Email', type: 'email', autoComplete: 'shipping email' },
};

/** A change of one of these decides whether others are right. */
const related: Partial<Record<ShippingField, ShippingField[]>> = { state: ['postalCode'], country: ['state', 'postalCode', 'phone'] };

type AddressFieldsProps = {
  readonly field: (name: ShippingField, related?: ShippingField[]) => FormField;
  readonly typed: Pick<CheckoutFields['shipping'], 'country' | 'state'>;
  /** What the e-mail is for, or that it may be left out. */
  readonly email: Pick<ShippingInput, 'hint' | 'optional'>;
};

/** In India the state is chosen from a list. An address abroad may have anything there. */
export const AddressFields = ({ field, typed, email }: AddressFieldsProps) => (
  <div className="grid gap-x-5 gap-y-6 sm:grid-cols-2">
    {shippingFields.map((name) => {
      const { wide = false, type, inputMode, ...input } = { ...inputs[name], ...(name === 'email' && email) };
      const shared = { ...input, ...field(name, related[name]), required: !input.optional, className: cx(wide && 'sm:col-span-2') };
      if (name === 'state' && isIndia(typed.country)) return <SelectField key="state" {...shared} options={listStates(typed.state)} />;
      return <Field key={name} {...shared} {...{ type, inputMode }} defaultValue={BLANK_FORM.shipping[name] || undefined} />;
    })}
  </div>
);

/** What the form already has stays: as the value of the state that it names, or as an option of its own. */
const listStates = (typed: string) => {
  const named = readState(typed);
  const other = named === undefined && !isBlank(typed) ? [{ value: typed, text: typed }] : [];
  return [
    { value: '', text: 'Choose a state' },
    ...other,
    ...states.map((state) => ({ value: state === named ? typed : state, text: state })),
  ];
};
