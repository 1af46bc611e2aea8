import { Gift, Lock } from 'lucide-react';
import { useId } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { CheckoutFields } from '#domain/order/checkout.ts';
import { textsTypedIn } from '#domain/order/texts.ts';
import { GIFT_WRAP_FEE } from '#domain/order/totals.ts';
import { formatRupees } from '#domain/shared/money.ts';
import { pages } from '#domain/site/pages.ts';
import { numberWord } from '../../../lib/format.ts';
import { AddressFields } from '../../../ui/address/AddressFields.tsx';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SlowAnswer } from '../../../ui/feedback/SlowAnswer.tsx';
import { RadioCard } from '../../../ui/form/RadioCard.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { type Failure, isLostSession, listReasons } from '../order-failure.ts';
import { draftLeft } from '../order-slice.ts';
import { OrderSummary } from '../summary/OrderSummary.tsx';
import { type SummaryLine, totalsOfCart } from '../summary/summary-lines.ts';
import { addressChosen, findChosen, newAddressChosen, savingChosen, selectAddresses, selectSavesAddress } from './checkout-slice.ts';
import { useCheckoutForm } from './use-checkout-form.ts';

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
        <KnownAddresses form={form} />
        <div className="mt-7">
          <AddressFields field={field} typed={form.shipping} email={{ hint: 'The confirmation goes here.' }} />
        </div>
        <SaveAddress form={form} />
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

/** The addresses that the shopper keeps. A choice fills the fields, which may still be changed. */
const KnownAddresses = ({ form }: Pick<FormProps, 'form'>) => {
  const dispatch = useDispatch();
  const addresses = useSelector(selectAddresses) ?? [];
  const group = useId();
  if (addresses.length === 0) return null;
  const chosen = findChosen(form, addresses);
  return (
    <fieldset className="mt-7">
      <legend className="mb-3 text-[0.875rem] font-medium">Your addresses</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {addresses.map((address) => (
          <RadioCard
            key={address._id}
            name={group}
            label={address.name}
            detail={[address.address1, address.address2, `${address.city} ${address.postalCode}`].filter(Boolean).join(', ')}
            checked={address === chosen}
            onChange={() => dispatch(addressChosen(address))}
          />
        ))}
        <RadioCard
          name={group}
          label="Another address"
          detail="Type it below."
          checked={chosen === undefined}
          onChange={() => dispatch(newAddressChosen())}
        />
      </div>
    </fieldset>
  );
};

/** Offered to signed-in shoppers for an address that they do not keep yet. */
const SaveAddress = ({ form }: Pick<FormProps, 'form'>) => {
  const dispatch = useDispatch();
  const addresses = useSelector(selectAddresses);
  const saves = useSelector(selectSavesAddress);
  if (addresses === null || findChosen(form, addresses)) return null;
  return (
    <div className="mt-4">
      <Checkbox label="Keep this address for next time" checked={saves} onChange={({ target }) => dispatch(savingChosen(target.checked))} />
    </div>
  );
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
