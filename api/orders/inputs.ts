import { z } from 'zod';

import type { CheckoutForm } from '#domain/order/checkout-form.ts';
import { paymentMethods } from '#domain/order/events.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import type { ShippingField } from '#domain/order/shipping.ts';
import { orderStatuses } from '#domain/order/status.ts';

import { parse } from '../http/input.ts';
import { readableText, required } from '../http/typed-text.ts';

/** Which fields have to be filled in, and how long they may be, is for the domain to say. */
const field = readableText.nullable().default('');
const ShippingInput = z.object({
  name: field,
  address1: field,
  address2: field,
  city: field,
  state: field,
  postalCode: field,
  country: field,
  phone: field,
  email: field,
} satisfies Record<ShippingField, typeof field>);

/** A gift is wrapped when it says `true`, and not for anything that somebody could take for it. */
const CheckoutInput = z.object({
  shipping: z.looseObject({}).default({}),
  giftWrap: z.boolean().default(false),
  giftMessage: readableText.default(''),
});

/** The form as a browser sends it: `{shipping, giftWrap, giftMessage}`. Throws a 400 that names the fields as the form does. */
export const checkoutFormIn = (body: unknown): CheckoutForm => {
  const { shipping: sent, giftWrap, giftMessage } = parse(CheckoutInput, body);
  const typed = Object.entries(parse(ShippingInput, sent));
  return { shipping: Object.fromEntries(typed.map(([name, value]) => [name, value ?? ''])), giftWrap, giftMessage };
};

const note = readableText.trim().max(LONGEST_NOTE, `Please use at most ${LONGEST_NOTE} characters`);

export const PlaceInput = z.object({ method: z.enum(paymentMethods, `Please choose ${paymentMethods.join(' or ')}`) });
export const CancelInput = z.object({ reason: note.default('') });
export const ReturnInput = z.object({ reason: required(note), opened: z.boolean() });
export const MoveInput = z.object({ status: z.enum(orderStatuses, `One of ${orderStatuses.join(', ')}`), note: note.default('') });
