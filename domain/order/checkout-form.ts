import { shippingErrors, type ShippingErrors, type ShippingField } from './shipping.ts';

/** In characters, as counted by a text box's `maxLength`. */
export const LONGEST_GIFT_MESSAGE = 500;

/** The shopper's input at checkout. */
export type CheckoutForm = {
  readonly shipping: Partial<Record<ShippingField, string>>;
  readonly giftWrap: boolean;
  readonly giftMessage: string;
};
export type CheckoutErrors = ShippingErrors & { giftMessage?: string };

/** A gift message as stored: lines are kept, surrounding blanks removed. */
export const tidyGiftMessage = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** All errors of the form, a sentence for each field; empty when there are none. */
export const checkoutErrors = ({ shipping, giftMessage }: CheckoutForm): CheckoutErrors => ({
  ...shippingErrors(shipping),
  ...(tidyGiftMessage(giftMessage).length > LONGEST_GIFT_MESSAGE ? { giftMessage: `At most ${LONGEST_GIFT_MESSAGE} characters` } : {}),
});
