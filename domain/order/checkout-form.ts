import { shippingErrors, type ShippingErrors, type ShippingField } from './shipping.ts';

/** In characters, as a text box with `maxLength` counts them. */
export const LONGEST_GIFT_MESSAGE = 500;

/** What a shopper fills in at checkout. */
export type CheckoutForm = {
  readonly shipping: Partial<Record<ShippingField, string>>;
  readonly giftWrap: boolean;
  readonly giftMessage: string;
};
export type CheckoutErrors = ShippingErrors & { giftMessage?: string };

/** A gift message as the shop keeps it: its lines stay, blanks around it go. */
export const tidyGiftMessage = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** All that is wrong with the form, a sentence for each field; empty when it can be sent. */
export const checkoutErrors = ({ shipping, giftMessage }: CheckoutForm): CheckoutErrors => ({
  ...shippingErrors(shipping),
  ...(tidyGiftMessage(giftMessage).length > LONGEST_GIFT_MESSAGE ? { giftMessage: `At most ${LONGEST_GIFT_MESSAGE} characters` } : {}),
});
