import { z } from 'zod';

import { mapShipping, type CheckoutFields } from '#domain/order/checkout.ts';
import { paymentMethods } from '#domain/order/events.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { orderStatuses } from '#domain/order/rules.ts';
import { NOT_AN_EMAIL, parseEmail } from '#domain/shared/email.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { stateNamed } from '#domain/shared/states.ts';

import { parse, readableText, required, textAs } from '../http/input.ts';

/** The domain decides which fields are required, and their lengths. */
const ShippingInput = z.object(mapShipping(() => readableText.nullable().default('')));

/** Gift wrap needs a literal `true`, not any truthy value. */
const CheckoutInput = z.object({
  shipping: z.looseObject({}).default({}),
  giftWrap: z.boolean().default(false),
  ...mapOrderTexts(() => readableText.default('')),
});

/** Parses the checkout form in the body: `{shipping, giftWrap}` and the texts of `orderTexts`. Throws a 400 that names the wrong fields. */
export const parseCheckoutForm = (body: unknown): CheckoutFields => {
  const { shipping: sent, ...others } = parse(CheckoutInput, body);
  const typed = parse(ShippingInput, sent);
  return { shipping: mapShipping((field) => typed[field] ?? ''), ...others };
};

const note = readableText.trim().max(LONGEST_NOTE, `Please use at most ${LONGEST_NOTE} characters`);

/** `again` places a draft although another order has taken its bottles from the cart meanwhile. */
export const PlaceInput = z.object({
  method: z.enum(paymentMethods, `Please choose ${paymentMethods.join(' or ')}`),
  again: z.boolean().default(false),
});
export const CancelInput = z.object({ reason: note.default('') });
export const ReturnInput = z.object({ reason: required(note), opened: z.boolean() });
export const CorrectEmailInput = z.object({ email: textAs(parseEmail, NOT_AN_EMAIL), reason: required(note) });
export const MoveInput = z.object({
  status: z.enum(orderStatuses, `One of ${orderStatuses.join(', ')}`),
  note: note.default(''),
  placeOfSupply: textAs(stateNamed, 'Please name a state or union territory of India, such as Kerala').optional(),
});
