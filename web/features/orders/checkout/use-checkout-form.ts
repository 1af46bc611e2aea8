import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { BLANK_FORM, checkoutErrors, type CheckoutFields } from '#domain/order/checkout.ts';
import { orderTexts, textsTypedIn } from '#domain/order/texts.ts';
import { useAddressDoubts } from '../../../ui/address/address-doubts.ts';
import { useValidatedForm, type FieldErrors } from '../../../ui/form/use-validated-form.ts';
import type { Failure } from '../order-failure.ts';
import { createRequested, findFailure, isPending, selectOrder } from '../order-slice.ts';
import type { SummaryLine } from '../summary/summary-lines.ts';
import { formTyped, selectCheckoutForm, withTyped, type TypedFields } from './checkout-slice.ts';

/** By the names of the inputs. */
type Values = CheckoutFields['shipping'] & Omit<CheckoutFields, 'shipping'>;

const toValues = ({ shipping, ...others }: CheckoutFields): Values => ({ ...shipping, ...others });

const isOfAddress = (name: string): boolean => Object.hasOwn(BLANK_FORM.shipping, name);
const typedFields = (values: Partial<Values>): TypedFields => {
  const typed = Object.entries(values);
  const others = typed.filter(([name]) => !isOfAddress(name));
  return { ...Object.fromEntries(others), shipping: Object.fromEntries(typed.filter(([name]) => isOfAddress(name))) };
};

const differing = (now: Values, before: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => Reflect.get(before, name) !== value));

/** A refusal of a text that is typed in the cart has no box here. */
const isTypedHere = (name: string): boolean =>
  isOfAddress(name) || (Object.hasOwn(orderTexts, name) && !textsTypedIn('cart').some(({ field }) => field === name));
const errorsHere = (errors: FieldErrors): FieldErrors => Object.fromEntries(Object.entries(errors).filter(([name]) => isTypedHere(name)));

/** Other refusals name products by their ids. */
const getFieldErrors = (failure: Failure | null): FieldErrors => (failure?.code === 'checkout_invalid' ? errorsHere(failure.errors) : {});

/** The form for the address and the gift. Its values are also in the store, which keeps them and fills them in. */
export const useCheckoutForm = (lines: readonly SummaryLine[]) => {
  const dispatch = useDispatch();
  const form = useSelector(selectCheckoutForm);
  const order = useSelector(selectOrder);
  const loading = isPending(order, 'create');
  const refusal = findFailure(order, 'create');

  const create = (): void => {
    const ordered = lines.map(({ productId, quantity }) => ({ productId, quantity }));
    dispatch(createRequested({ form, lines: ordered }));
  };
  const doubts = useAddressDoubts();
  const { field, submit, errors, refuse, change } = useValidatedForm<Values>({
    validate: (values) => {
      const typed = withTyped(form, typedFields(values));
      return errorsHere({ ...doubts.find(typed.shipping), ...checkoutErrors(typed) });
    },
    send: () => {
      if (!loading) create();
    },
    onTyped: (typed) => dispatch(formTyped(typedFields(typed))),
  });

  // Only values that changed in the store are set, so that text typed before the scripts loaded stays.
  const stored = useRef(toValues(BLANK_FORM));
  useLayoutEffect(() => {
    const now = toValues(form);
    change(differing(now, stored.current));
    stored.current = now;
  }, [form, change]);

  // A saga sends the form, so the refusal arrives in the store.
  const showRefusal = useEffectEvent((errors: FieldErrors) => refuse({ status: 400, message: refusal?.message ?? '', errors }));
  useEffect(() => {
    const refused = getFieldErrors(refusal);
    if (Object.keys(refused).length > 0) showRefusal(refused);
  }, [refusal]);
  const isOfFields = Object.keys(getFieldErrors(refusal)).length > 0;

  return {
    form,
    field,
    submit: (event?: Parameters<typeof submit>[0]): void => {
      doubts.insist(form.shipping, errors);
      submit(event);
    },
    errors,
    create,
    loading,
    // A shopper who returned while the order was being placed sees its failure here.
    failure: isOfFields ? null : (refusal ?? findFailure(order, 'place')),
  };
};
