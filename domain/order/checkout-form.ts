import { isBlank } from '../shared/text.ts';

/** The delivery address. Every field is personal data. `address2` may be empty. */
export type ShippingAddress = {
  readonly name: string;
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  readonly country: string;
  readonly phone: string;
  readonly email: string;
};
export type ShippingField = keyof ShippingAddress;
export type ShippingErrors = Partial<Record<ShippingField, string>>;

/** In the order of the form; the number is the field's maximum length. */
const limits: Readonly<Record<ShippingField, number>> = {
  name: 120,
  address1: 200,
  address2: 200,
  city: 100,
  state: 100,
  postalCode: 20,
  country: 100,
  phone: 30,
  email: 254,
};
export const shippingFields = Object.keys(limits) as readonly ShippingField[];
const optional: ReadonlySet<ShippingField> = new Set(['address2']);

/** One `@` with text on both sides, no blanks: a mail server checks more, but would refuse anything else for certain. */
const EMAIL = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

/** The typed address as stored: each field in one line, without surrounding blanks; missing fields are empty. */
export const normalizeShipping = (typed: Partial<Record<ShippingField, string>>): ShippingAddress => {
  const tidy = (field: ShippingField): string => (typed[field] ?? '').replace(/\s+/g, ' ').trim();
  return {
    name: tidy('name'),
    address1: tidy('address1'),
    address2: tidy('address2'),
    city: tidy('city'),
    state: tidy('state'),
    postalCode: tidy('postalCode'),
    country: tidy('country'),
    phone: tidy('phone'),
    email: tidy('email'),
  };
};

/** For orders stored without an address. */
export const NO_ADDRESS = normalizeShipping({});

/** `Required` for each required field that is empty or blank. */
export const missingShippingFields = (typed: Partial<Record<ShippingField, string>>): ShippingErrors =>
  Object.fromEntries(
    shippingFields.filter((field) => !optional.has(field) && isBlank(typed[field] ?? '')).map((field) => [field, 'Required']),
  );

/** All errors of an address, a sentence for each field; empty when there are none. */
export const shippingErrors = (typed: Partial<Record<ShippingField, string>>): ShippingErrors => {
  const address = normalizeShipping(typed);
  const tooLong = shippingFields.filter((field) => address[field].length > limits[field]);
  return {
    ...(EMAIL.test(address.email) ? {} : { email: 'Not an e-mail address' }),
    ...Object.fromEntries(tooLong.map((field) => [field, `At most ${limits[field]} characters`])),
    ...missingShippingFields(address),
  };
};

/** In characters, as counted by a text box's `maxLength`. */
export const LONGEST_GIFT_MESSAGE = 500;
export const LONGEST_ORDER_NOTE = 500;

/** The shopper's input at checkout. */
export type CheckoutForm = {
  readonly shipping: Partial<Record<ShippingField, string>>;
  readonly giftWrap: boolean;
  readonly giftMessage: string;
  /** For whoever packs the order. */
  readonly note: string;
};
export type CheckoutErrors = ShippingErrors & { giftMessage?: string; note?: string };

/** Gift message or note as stored: lines are kept, surrounding blanks removed. */
export const normalizeLines = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** All errors of the form, a sentence for each field; empty when there are none. */
export const checkoutErrors = ({ shipping, giftMessage, note }: CheckoutForm): CheckoutErrors => ({
  ...shippingErrors(shipping),
  ...(normalizeLines(giftMessage).length > LONGEST_GIFT_MESSAGE ? { giftMessage: `At most ${LONGEST_GIFT_MESSAGE} characters` } : {}),
  ...(normalizeLines(note).length > LONGEST_ORDER_NOTE ? { note: `At most ${LONGEST_ORDER_NOTE} characters` } : {}),
});
