import { Gift, Lock } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { BLANK_FORM, shippingFields, type CheckoutFields, type ShippingField } from '#domain/order/checkout.ts';
import { textsTypedIn } from '#domain/order/texts.ts';
import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { isIndia, readState, states } from '#domain/shared/states.ts';
import { isBlank } from '#domain/shared/text.ts';
import { pages } from '#domain/site/pages.ts';
import { numberWord } from '../../../lib/format.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { Field, TextArea } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { type Failure, isLostSession, listReasons } from '../order-failure.ts';
import { draftLeft } from '../order-slice.ts';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { type SummaryLine, totalsOfCart } from '../summary/summary-lines.ts';
import { useCheckoutForm } from './use-checkout-form.ts';

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
  email: { label: 'Email', type: 'email', autoComplete: 'shipping email', hint: 'The confirmation goes here.' },
};

/** A change of one of these decides whether others are right. */
const related: Partial<Record<ShippingField, ShippingField[]>> = { state: ['postalCode'], country: ['state', 'postalCode', 'phone'] };

const shippingInputs = shippingFields.map((name) => ({ name, ...inputs[name] }));

type CheckoutFormProps = {
  readonly lines: readonly SummaryLine[];
  readonly provider: string | undefined;
  readonly signIn: string;
  readonly onRepeat: () => void;
};

export const CheckoutForm = ({ lines, provider, signIn, onRepeat }: CheckoutFormProps) => {
  const dispatch = useDispatch();
  const { form, field, submit, errors, create, loading, failure } = useCheckoutForm(lines);
  // The key stays the same: the same form of the same cart creates one order.
  const createAgain = (): void => {
    dispatch(draftLeft());
    onRepeat();
    create();
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-x-16 gap-y-12 lg:grid-cols-[1fr_25rem]">
      <div className="min-w-0">
        <h2 className="display text-h2">Shipping address</h2>
        <ErrorCount count={Object.keys(errors).length} />
        <ShippingFields field={field} form={form} />
        <h2 className="display mt-14 mb-6 text-h2">Gift options</h2>
        <GiftOptions field={field} form={form} />
      </div>
      <OrderSummary lines={lines} totals={totalsOfCart(lines, form.giftWrap)}>
        <Payment lines={lines} loading={loading} onRetry={createAgain} failure={failure} provider={provider} signIn={signIn} />
      </OrderSummary>
    </form>
  );
};

type PaymentProps = Pick<CheckoutFormProps, 'lines' | 'provider' | 'signIn'> & {
  readonly loading: boolean;
  readonly onRetry: () => void;
  readonly failure: Failure | null;
};

const Payment = ({ lines, loading, onRetry, failure, provider, signIn }: PaymentProps) => (
  <>
    {failure && <CheckoutProblem failure={failure} lines={lines} signIn={signIn} />}
    <Button
      type="submit"
      size="lg"
      disabled={lines.length === 0}
      busy={loading ? 'Preparing your order...' : undefined}
      className="mt-7 w-full"
    >
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

type FieldsProps = Pick<ReturnType<typeof useCheckoutForm>, 'field'>;

type FormProps = FieldsProps & { readonly form: CheckoutFields };

/** In India the state is chosen from a list. An address abroad may have anything there. */
const ShippingFields = ({ field, form: { shipping } }: FormProps) => (
  <div className="mt-7 grid gap-x-5 gap-y-6 sm:grid-cols-2">
    {shippingInputs.map(({ name, wide = false, type, inputMode, ...input }) => {
      const shared = { ...input, ...field(name, related[name]), required: !input.optional, className: cx(wide && 'sm:col-span-2') };
      if (name === 'state' && isIndia(shipping.country))
        return <SelectField key="state" {...shared} options={listStates(shipping.state)} />;
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

const GiftOptions = ({ field, form }: FormProps) => {
  const detail = useId();
  const { error: _, ...giftWrap } = field('giftWrap');
  return (
    <div className="flex flex-col gap-x-7 gap-y-5 bg-paper p-6 sm:flex-row sm:p-8">
      <Gift className="hidden size-7 text-gold-deep sm:block" strokeWidth={1.2} />
      <div className="-mt-2.5 min-w-0 flex-1">
        <Checkbox
          {...giftWrap}
          label={<span className="font-medium">Gift wrap</span>}
          trail={<span className="figures">{formatRupees(GIFT_WRAP_FEE)}</span>}
          aria-describedby={detail}
        />
        <p id={detail} className="-mt-1.5 pl-8 text-[0.875rem] text-clove">
          Handmade cotton paper and silk thread.
        </p>
        {textsTypedIn('gift options').map(({ field: name, title, limit, placeholder }) => (
          <TextArea
            key={name}
            {...field(name)}
            label={title}
            optional
            rows={3}
            placeholder={placeholder}
            maxLength={limit}
            hint={`${form[name].length} / ${limit}`}
            className="figures mt-5 *:last:text-right"
          />
        ))}
      </div>
    </div>
  );
};

type CheckoutProblemProps = { readonly failure: Failure; readonly lines: readonly SummaryLine[]; readonly signIn: string };

const linkTo = 'link inline-flex min-h-8 items-center font-semibold';

/** Shows why the order could not be created, per product if possible, and what to do. The form stays filled in. */
const CheckoutProblem = ({ failure, lines, signIn }: CheckoutProblemProps) => {
  const lost = isLostSession(failure);
  return (
    <Alert className="mt-6">
      {failure.message}
      {listReasons(failure, lines).map((reason) => (
        <span key={reason} className="mt-1 block wrap-anywhere">
          {reason}
        </span>
      ))}
      {lost && <span className="mt-1 block">If your session has ended, sign in again: what you have typed stays.</span>}
      <span className="mt-1 flex flex-wrap gap-x-5">
        {(lost || failure.status === 409) && (
          <Link to={pages.cart} className={linkTo}>
            Back to your cart
          </Link>
        )}
        {lost && (
          <Link to={signIn} className={linkTo}>
            Sign in
          </Link>
        )}
      </span>
    </Alert>
  );
};
