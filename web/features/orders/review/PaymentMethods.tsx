import { paymentMethods, type PaymentMethod } from '#domain/order/events.ts';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { methods } from '../payment-methods.ts';

type PaymentMethodsProps = { readonly chosen: PaymentMethod; readonly onChoose: (method: PaymentMethod) => void };

export const PaymentMethods = ({ chosen, onChoose }: PaymentMethodsProps) => (
  <fieldset className="mt-14">
    <legend className="display text-h3">Payment method</legend>
    <div className="mt-6 grid gap-4 sm:grid-cols-2">
      {paymentMethods.map((method) => (
        <RadioCard
          key={method}
          name="method"
          value={method}
          {...methods[method]}
          checked={method === chosen}
          onChange={() => onChoose(method)}
        />
      ))}
    </div>
  </fieldset>
);
