import { Lock } from 'lucide-react';
import { useEffect, useRef, useState, type SubmitEventHandler } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { checkoutErrors, type CheckoutErrors, type CheckoutForm as Form } from '#domain/order/checkout-form.ts';
import { numberWord } from '../../../lib/numbers.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { Failure } from '../order-failure.ts';
import { createRequested, selectOrder } from '../order-slice.ts';
import { selectOrderScreen } from '../order-screen-slice.ts';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { totalsOfCart, type SummaryLine } from '../summary/summary-lines.ts';
import { CheckoutProblem } from './CheckoutProblem.tsx';
import { formTyped, selectCheckoutForm } from './checkout-slice.ts';
import { GiftOptions } from './GiftOptions.tsx';
import { ShippingFields } from './ShippingFields.tsx';

type CheckoutFormProps = {
  readonly lines: readonly SummaryLine[];
  /** Of the payments, as the site content names it. */
  readonly provider: string | undefined;
  readonly signIn: string;
};

const NONE: CheckoutErrors = {};

/** Nothing is sent while anything is wrong; from the first try on, each field says by itself when it is right. */
export const CheckoutForm = ({ lines, provider, signIn }: CheckoutFormProps) => {
  const dispatch = useDispatch();
  const form = useSelector(selectCheckoutForm);
  const { loading } = useSelector(selectOrder);
  const { failure } = useSelector(selectOrderScreen);
  const [tries, setTries] = useState(0);
  const errors = tries > 0 ? checkoutErrors(form) : NONE;
  const element = useFocusOnFirstError(tries);

  const type = (changes: Partial<Form>): void => void dispatch(formTyped({ ...form, ...changes }));
  const submit: SubmitEventHandler = (event) => {
    event.preventDefault();
    if (loading) return;
    setTries(tries + 1);
    if (Object.keys(checkoutErrors(form)).length > 0) return;
    const ordered = lines.map(({ productId, quantity }) => ({ productId, quantity }));
    dispatch(createRequested({ form, lines: ordered }));
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
        <Payment empty={lines.length === 0} loading={loading} failure={failure} provider={provider} signIn={signIn} />
      </OrderSummary>
    </form>
  );
};

type PaymentProps = Pick<CheckoutFormProps, 'provider' | 'signIn'> & {
  /** Nothing is left to order: the failure says why, and leads on. */
  readonly empty: boolean;
  readonly loading: boolean;
  readonly failure: Failure | null;
};

const Payment = ({ empty, loading, failure, provider, signIn }: PaymentProps) => (
  <>
    {failure && <CheckoutProblem failure={failure} signIn={signIn} />}
    <Button type="submit" size="lg" disabled={empty} busy={loading ? 'Preparing your order...' : undefined} className="mt-7 w-full">
      Complete Payment
    </Button>
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

/** Takes the shopper, after each try, to the first field that is to be corrected. */
const useFocusOnFirstError = (tries: number) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return form;
};
