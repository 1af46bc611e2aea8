import { z } from 'zod';

import { mapShipping, type CheckoutFields } from '#domain/order/checkout.ts';
import { paymentMethods } from '#domain/order/events.ts';
import { LONGEST_NOTE } from '#domain/order/fulfilment.ts';
import { orderStatuses } from '#domain/order/rules.ts';
import { NOT_AN_EMAIL, parseEmail } from '#domain/shared/email.ts';
import { mapShipment, NOT_A_LINK, shipmentLimits } from '#domain/order/shipment-texts.ts';
import { mapOrderTexts } from '#domain/order/texts.ts';
import { stateNamed } from '#domain/shared/states.ts';

import { parse, readableText, required, textAs, typedLine } from '../http/input.ts';

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

/** A note or reason; the domain limits its length too. */
export const noteInput = readableText.trim().max(LONGEST_NOTE, `Please use at most ${LONGEST_NOTE} characters`);

/** `again` places a draft although another order has taken its bottles from the cart meanwhile. */
export const PlaceInput = z.object({
  method: z.enum(paymentMethods, `Please choose ${paymentMethods.join(' or ')}`),
  again: z.boolean().default(false),
});
export const CancelInput = z.object({ reason: noteInput.default('') });
export const CorrectEmailInput = z.object({ email: textAs(parseEmail, NOT_AN_EMAIL), reason: required(noteInput) });
const shipmentTexts = mapShipment((field) => typedLine(shipmentLimits[field]).nullish());
/** The domain says which links are links; the parser of browsers must read one too. */
export const ShipmentInput = z
  .object(shipmentTexts)
  .transform((sent) => mapShipment((field) => sent[field] ?? ''))
  .refine(({ trackingUrl }) => trackingUrl === '' || URL.canParse(trackingUrl), { path: ['trackingUrl'], message: NOT_A_LINK });
export const PackedInput = z.object({ packed: z.boolean() });
export const MoveInput = z.object({
  status: z.enum(orderStatuses, `One of ${orderStatuses.join(', ')}`),
  note: noteInput.default(''),
  placeOfSupply: textAs(stateNamed, 'Please name a state or union territory of India, such as Kerala').optional(),
});
