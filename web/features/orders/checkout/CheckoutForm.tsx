import { Gift, Lock } from 'lucide-react';
import { type ComponentProps, type SubmitEventHandler, useEffect, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  checkoutErrors,
  LONGEST_GIFT_MESSAGE,
  shippingFields,
  type CheckoutErrors,
  type CheckoutForm as Form,
  type ShippingErrors,
  type ShippingField,
} from '#domain/order/checkout.ts';
import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { numberWord } from '../../../lib/numbers.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { SlowAnswer } from '../../../ui/SlowAnswer.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import type { Failure } from '../order-failure.ts';
import { createRequested, draftLeft, failureIn, isPending, selectOrder } from '../order-slice.ts';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { type SummaryLine, totalsOfCart } from '../summary/summary-lines.ts';
import { CheckoutProblem } from './CheckoutProblem.tsx';
import { formTyped, selectCheckoutForm } from './checkout-slice.ts';

type ShippingInput = Pick<ComponentProps<typeof Field>, 'label' | 'type' | 'autoComplete' | 'inputMode' | 'optional' | 'hint'> & {
  readonly wide?: true;
};

/** Labels and input types of the address fields; the `autocomplete` names let the browser fill all of them. */
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
const shippingInputs = shippingFields.map((name) => ({ name, ...inputs[name] }));

type CheckoutFormProps = {
  readonly lines: readonly SummaryLine[];
  /** The payment provider's name, from the site content. */
  readonly provider: string | undefined;
  readonly signIn: string;
  /** Makes the cart's call under way again, which checking out waits for. */
  readonly onRepeat: () => void;
};

const NONE: CheckoutErrors = {};

/** Validated on submit; after the first attempt each field validates while typing. */
export const CheckoutForm = ({ lines, provider, signIn, onRepeat }: CheckoutFormProps) => {
  const dispatch = useDispatch();
  const form = useSelector(selectCheckoutForm);
  const order = useSelector(selectOrder);
  const loading = isPending(order, 'create');
  // Whoever came back while their order was placed is told here why it was not.
  const failure = failureIn(order, 'create') ?? failureIn(order, 'place');
  const [tries, setTries] = useState(0);
  const errors = tries > 0 ? checkoutErrors(form) : NONE;
  const element = useFocusOnFirstError(tries);

  const create = (): void => {
    const ordered = lines.map(({ productId, quantity }) => ({ productId, quantity }));
    dispatch(createRequested({ form, lines: ordered }));
  };
  const type = (changes: Partial<Form>): void => void dispatch(formTyped({ ...form, ...changes }));
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    if (loading) return;
    setTries(tries + 1);
    if (Object.keys(checkoutErrors(form)).length > 0) return;
    create();
  };
  // Under the same key: the same form of the same cart is one order.
  const createAgain = (): void => {
    dispatch(draftLeft());
    onRepeat();
    create();
  };

  return (
    <form ref={element} noValidate onSubmit={submit} className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
      <div className="min-w-0">
        <h2 className="display text-h2">Shipping address</h2>
        <ErrorCount count={Object.keys(errors).length} />
        <ShippingFields
          values={form.shipping}
          errors={errors}
          onChange={(field, value) => type({ shipping: { ...form.shipping, [field]: value } })}
        />
        <h2 className="display mt-14 mb-6 text-h2">Gift options</h2>
        <GiftOptions value={form} error={errors.giftMessage} onChange={type} />
      </div>
      <OrderSummary lines={lines} totals={totalsOfCart(lines, form.giftWrap)}>
        <Payment empty={lines.length === 0} loading={loading} onRetry={createAgain} failure={failure} provider={provider} signIn={signIn} />
      </OrderSummary>
    </form>
  );
};

type PaymentProps = Pick<CheckoutFormProps, 'provider' | 'signIn'> & {
  /** Nothing is left to order: the failure explains why and leads on. */
  readonly empty: boolean;
  readonly loading: boolean;
  readonly onRetry: () => void;
  readonly failure: Failure | null;
};

const Payment = ({ empty, loading, onRetry, failure, provider, signIn }: PaymentProps) => (
  <>
    {failure && <CheckoutProblem failure={failure} signIn={signIn} />}
    <Button type="submit" size="lg" disabled={empty} busy={loading ? 'Preparing your order...' : undefined} className="mt-7 w-full">
      Complete Payment
    </Button>
    {loading && <SlowAnswer onRetry={onRetry} className="mt-4" />}
    {provider !== undefined && (
      <p className="mt-4 flex items-center justify-center gap-2 text-[0.875rem] text-clove">
        <Lock className="size-4" strokeWidth={1.5} />
        <span>
          Secure Checkout Powered by <span className="font-semibold text-ink">{provider}</span>
        </span>
      </p>
    )}
  </>
);

const ErrorCount = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <Alert className="mt-6">{count === 1 ? 'One field still needs you.' : `${numberWord(count)} fields still need you.`}</Alert>
  );

/** Focuses the first invalid field after each attempt. */
const useFocusOnFirstError = (tries: number) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return form;
};

type ShippingFieldsProps = {
  readonly values: Partial<Record<ShippingField, string>>;
  readonly errors: ShippingErrors;
  readonly onChange: (field: ShippingField, value: string) => void;
};

const ShippingFields = ({ values, errors, onChange }: ShippingFieldsProps) => (
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

type Gifts = Pick<Form, 'giftWrap' | 'giftMessage'>;

type GiftOptionsProps = {
  readonly value: Gifts;
  readonly error: string | undefined;
  readonly onChange: (gifts: Gifts) => void;
};

/** The gift message can be sent with and without wrapping. */
const GiftOptions = ({ value, error, onChange }: GiftOptionsProps) => {
  const detail = useId();
  return (
    <div className="flex flex-col gap-x-7 gap-y-5 bg-paper p-6 sm:flex-row sm:p-8">
      <Gift className="hidden size-7 text-gold-deep sm:block" strokeWidth={1.2} />
      <div className="-mt-2.5 min-w-0 flex-1">
        <Checkbox
          name="giftWrap"
          label={<span className="font-medium">Gift wrap</span>}
          trail={<span className="figures">{formatRupees(GIFT_WRAP_FEE)}</span>}
          aria-describedby={detail}
          checked={value.giftWrap}
          onChange={({ target }) => onChange({ ...value, giftWrap: target.checked })}
        />
        <p id={detail} className="-mt-1.5 pl-8 text-[0.875rem] text-clove">
          Handmade cotton paper and silk thread.
        </p>
        <TextArea
          label="Gift message"
          name="giftMessage"
          optional
          rows={3}
          maxLength={LONGEST_GIFT_MESSAGE}
          value={value.giftMessage}
          error={error}
          hint={`${value.giftMessage.length} / ${LONGEST_GIFT_MESSAGE}`}
          onChange={({ target }) => onChange({ ...value, giftMessage: target.value })}
          className="figures mt-5 *:last:text-right"
        />
      </div>
    </div>
  );
};
