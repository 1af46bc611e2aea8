import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { checkoutErrors, shippingFields, type CheckoutFields, type ShippingField } from '#domain/order/checkout.ts';
import { useValidatedForm, type FieldErrors } from '../../../ui/form/use-validated-form.ts';
import type { Failure } from '../order-failure.ts';
import { createRequested, failureIn, isPending, selectOrder } from '../order-slice.ts';
import type { SummaryLine } from '../summary/summary-lines.ts';
import { formTyped, selectCheckoutForm } from './checkout-slice.ts';

/** By the names of the inputs. The order's note, typed in the cart, has none here. */
type Values = Readonly<Record<ShippingField, string>> & Pick<CheckoutFields, 'giftWrap' | 'giftMessage'>;

const valuesOf = ({ shipping, giftWrap, giftMessage }: CheckoutFields): Values => {
  const address = Object.fromEntries(shippingFields.map((field) => [field, shipping[field] ?? '']));
  return { ...(address as Record<ShippingField, string>), giftWrap, giftMessage };
};
const BLANK = valuesOf({ shipping: {}, giftWrap: false, giftMessage: '', note: '' });

const withValues = (
  form: CheckoutFields,
  { giftWrap = form.giftWrap, giftMessage = form.giftMessage, ...shipping }: Partial<Values>,
): CheckoutFields => ({ ...form, shipping: { ...form.shipping, ...shipping }, giftWrap, giftMessage });

const differing = (now: Values, before: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => Reflect.get(before, name) !== value));

/** Errors of this form's fields. Other refusals name products by their ids. */
const fieldErrorsIn = (failure: Failure | null): FieldErrors =>
  failure?.code === 'checkout_invalid'
    ? Object.fromEntries(Object.entries(failure.errors).filter(([name]) => Object.hasOwn(BLANK, name)))
    : {};

/** The form of the address and the gift. Its values are in the store too, which keeps them and fills them in. */
export const useCheckoutForm = (lines: readonly SummaryLine[]) => {
  const dispatch = useDispatch();
  const form = useSelector(selectCheckoutForm);
  const order = useSelector(selectOrder);
  const loading = isPending(order, 'create');
  const refusal = failureIn(order, 'create');

  const create = (): void => {
    const ordered = lines.map(({ productId, quantity }) => ({ productId, quantity }));
    dispatch(createRequested({ form, lines: ordered }));
  };
  const { field, submit, errors, refuse, change } = useValidatedForm<Values>({
    validate: (values) => checkoutErrors({ ...withValues(form, values), note: '' }),
    send: () => {
      if (!loading) create();
    },
    onTyped: (typed) => dispatch(formTyped(withValues(form, typed))),
  });

  // Only what has changed in the store: a field that it knows nothing of keeps what was typed before the scripts came.
  const stored = useRef(BLANK);
  useLayoutEffect(() => {
    const now = valuesOf(form);
    change(differing(now, stored.current));
    stored.current = now;
  }, [form, change]);

  // A saga sends the form, so the answer comes by the store.
  const showRefusal = useEffectEvent((errors: FieldErrors) => refuse({ status: 400, message: refusal?.message ?? '', errors }));
  useEffect(() => {
    const refused = fieldErrorsIn(refusal);
    if (Object.keys(refused).length > 0) showRefusal(refused);
  }, [refusal]);
  const isOfFields = Object.keys(fieldErrorsIn(refusal)).length > 0;

  return {
    form,
    field,
    submit,
    errors,
    create,
    loading,
    // Whoever came back while their order was placed is told here why it was not.
    failure: isOfFields ? null : (refusal ?? failureIn(order, 'place')),
  };
};
