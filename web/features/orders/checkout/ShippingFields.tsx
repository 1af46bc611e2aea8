import type { ShippingErrors, ShippingField } from '#domain/order/shipping.ts';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { shippingInputs } from './shipping-inputs.ts';

type ShippingFieldsProps = {
  readonly values: Partial<Record<ShippingField, string>>;
  readonly errors: ShippingErrors;
  readonly onChange: (field: ShippingField, value: string) => void;
};

export const ShippingFields = ({ values, errors, onChange }: ShippingFieldsProps) => (
  <div className="mt-7 grid gap-x-5 gap-y-6 sm:grid-cols-2">
    {shippingInputs.map(({ name, wide = false, ...input }) => (
      <Field
        key={name}
        {...input}
        name={name}
        required={!input.optional}
        value={values[name] ?? ''}
        error={errors[name]}
        onChange={({ target }) => onChange(name, target.value)}
        className={cx(wide && 'sm:col-span-2')}
      />
    ))}
  </div>
);
