import type { CartLine, LineQuantity } from '../cart/events.ts';
import { forReserving, type Offers } from '../product/offer.ts';
import { daysLater, type Instant } from '../shared/time.ts';
import { findEmailProblem, parseEmail } from '../shared/email.ts';
import { isBlank, NO_TEXT, personalText, type PersonalText } from '../shared/text.ts';
import { accept, reject, type Decision } from '../shared/decider.ts';
import { orderId, uuidFromHash, type OrderId, type OrderNumber, type ProductId, type ShopperId } from '../shared/ids.ts';
import type { Paise } from '../shared/money.ts';
import { readPlace } from '../shared/states.ts';
import { getRate } from '../tax/rates.ts';
import type { Rates } from '../tax/tax.ts';
import type { Checkout, OrderEvent, OrderLine, PaymentMethod, ShippingAddress } from './events.ts';
import { ownedBy, type ExistingOrder, type Order } from './rules.ts';
import { completeCheckout, mapOrderTexts, orderTextFields, orderTexts, type OrderTextField, type OrderTexts } from './texts.ts';
import type { Revision } from '../event-store.ts';

export type ShippingField = keyof ShippingAddress;
export type ShippingErrors = Partial<Record<ShippingField, string>>;

/** The maximum length of each field is in characters. The fields are in the order of the form. */
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

/** A value for each field of an address. */
type Shipping<Text> = Readonly<Record<ShippingField, Text>>;

export const mapShipping = <Text>(make: (field: ShippingField) => Text): Shipping<Text> =>
  Object.fromEntries(shippingFields.map((field) => [field, make(field)])) as Shipping<Text>;

const normalizeField = (field: ShippingField, typed: string): string =>
  (field === 'email' ? parseEmail(typed) : undefined) ?? typed.replace(/\s+/g, ' ').trim();

/** The typed address as stored: each field in one line, without surrounding blanks. */
export const normalizeShipping = (typed: Shipping<string>): ShippingAddress =>
  mapShipping((field) => personalText(normalizeField(field, typed[field])));

/** The address of orders that were stored without one. */
export const NO_ADDRESS: ShippingAddress = mapShipping(() => NO_TEXT);

/** Returns `Required` for each required field that is blank. */
export const missingShippingFields = (typed: Shipping<string>): ShippingErrors =>
  Object.fromEntries(shippingFields.filter((field) => !optional.has(field) && isBlank(typed[field])).map((field) => [field, 'Required']));

/** Returns one sentence for each wrong field of an address; empty if there are none. */
export const shippingErrors = (typed: Shipping<string>): ShippingErrors => {
  const address = normalizeShipping(typed);
  const tooLong = shippingFields.filter((field) => address[field].length > limits[field]);
  const email = findEmailProblem(address.email);
  return {
    ...(email === undefined ? {} : { email }),
    ...Object.fromEntries(tooLong.map((field) => [field, `At most ${limits[field]} characters`])),
    ...missingShippingFields(address),
  };
};

/** Returns the same of an address that is kept for later orders, whose e-mail may be blank. */
export const savedAddressErrors = (typed: Shipping<string>): ShippingErrors => {
  const { email, ...others } = shippingErrors(typed);
  return email === undefined || isBlank(typed.email) ? others : { email, ...others };
};

export type CheckoutFields = OrderTexts<string> & {
  readonly shipping: Shipping<string>;
  readonly giftWrap: boolean;
};
/** An address that a shopper keeps, as the API answers it. */
export type SavedAddress = CheckoutFields['shipping'] & { readonly _id: string; readonly isDefault: boolean };
export type CheckoutErrors = ShippingErrors & Partial<Record<OrderTextField, string>>;

/** The form before anything is typed. Most parcels stay in India. */
export const BLANK_FORM: CheckoutFields = {
  shipping: { ...mapShipping(() => ''), country: 'India' },
  giftWrap: false,
  ...mapOrderTexts(() => ''),
};

/** Returns the form that would produce this checkout. */
export const formOf = ({
  shippingAddress,
  giftWrap,
  ...texts
}: Pick<Checkout, 'shippingAddress' | 'giftWrap'> & OrderTexts): CheckoutFields => ({
  shipping: shippingAddress,
  giftWrap,
  ...mapOrderTexts((field) => texts[field]),
});

/** Returns a gift message or note as it is stored: with its line breaks, without surrounding blanks. */
const normalizeLines = (typed: string): PersonalText => personalText(typed.replaceAll('\r\n', '\n').trim());

/** Returns one sentence for each wrong field of the form; empty if there are none. */
export const checkoutErrors = ({ shipping, ...form }: CheckoutFields): CheckoutErrors => {
  const tooLong = orderTextFields.filter((field) => normalizeLines(form[field]).length > orderTexts[field].limit);
  return {
    ...shippingErrors(shipping),
    ...Object.fromEntries(tooLong.map((field) => [field, `At most ${orderTexts[field].limit} characters`])),
  };
};

/** Returns the texts of a form as an event stores them: empty texts are left out, except the gift message, which is always stored. */
const writtenTexts = (form: OrderTexts<string>): Pick<Checkout, OrderTextField> => {
  const written = orderTextFields.map((field) => [field, normalizeLines(form[field])] as const).filter(([, text]) => text !== NO_TEXT);
  return { giftMessage: NO_TEXT, ...(Object.fromEntries(written) as Partial<OrderTexts>) };
};

/** Returns the HMAC-SHA-256 of the text under a key of the shop, in hex. */
export type KeyedHash = (text: string) => string;

/**
 * Returns the order id of this version of a shopper's cart. It is the same for every repeated checkout, and the order's stream accepts one
 * creation: checking out one cart version twice creates one order.
 *
 * The domain has no secret, so the handler passes the hash function. Its key makes the id as hard to guess as 122 random bits. The key must
 * never change, because with another key the same cart would become another order.
 */
export const deriveOrderId = (shopper: ShopperId, cartRevision: Revision, keyedHash: KeyedHash): OrderId => {
  const hex = keyedHash(`order of cart-${shopper} at ${cartRevision}`);
  if (!/^[0-9a-f]{32}/.test(hex)) throw new Error('A keyed hash is at least 32 hex digits');
  return orderId(uuidFromHash(hex));
};

/** The prices of a checkout are valid for this many days; afterwards the draft must be checked out again before it is placed. */
const DAYS_TO_PLACE = 1;

export type CreateOrder = CheckoutFields & {
  readonly type: 'CreateOrder';
  readonly by: ShopperId;
  /** The order's id was derived from the cart version with these lines. */
  readonly lines: readonly CartLine[];
  readonly offers: Offers;
  /** The rates are those of today. */
  readonly rates: Rates;
  readonly now: Instant;
};
/** Another order of the shopper, which has taken bottles of a draft from the cart since the checkout. */
export type OrderedMeanwhile = { readonly order: OrderId; readonly number: OrderNumber };

export type PlaceOrder = {
  readonly type: 'PlaceOrder';
  readonly by: ShopperId;
  readonly method: PaymentMethod;
  /** The field is undefined if there is no such order, or if the shopper wants both. */
  readonly meanwhile?: OrderedMeanwhile | undefined;
  readonly offers: Offers;
  readonly number: OrderNumber;
  readonly now: Instant;
};

/** This command is sent when a placing with reserved bottles is given up (see `PlacingAbandoned`). */
export type AbandonPlacing = { readonly type: 'AbandonPlacing'; readonly now: Instant };

type NamedProduct = { readonly productId: ProductId; readonly name: string };
export type ShortProduct = { readonly productId: ProductId; readonly available: number };
/** `now` is null for a perfume that can no longer be bought. */
export type ChangedOffer = NamedProduct & { readonly was: Paise; readonly now: Paise | null };

export type CheckoutRejection =
  | { readonly code: 'order_not_found' }
  | { readonly code: 'cart_empty' }
  | { readonly code: 'checkout_invalid'; readonly errors: CheckoutErrors }
  | { readonly code: 'items_unavailable'; readonly products: readonly NamedProduct[] }
  | { readonly code: 'not_enough_in_stock'; readonly products: readonly ShortProduct[] }
  | { readonly code: 'offer_changed'; readonly products: readonly ChangedOffer[] }
  | ({ readonly code: 'already_ordered' } & OrderedMeanwhile)
  | { readonly code: 'order_expired' }
  | { readonly code: 'order_cancelled' }
  | { readonly code: 'order_already_placed' };

type Decided = Decision<OrderEvent, CheckoutRejection>;

const sell = ({ productId, quantity }: CartLine, offers: Offers, rates: Rates): OrderLine | undefined => {
  const offer = forReserving(offers, productId);
  if (offer === undefined) return undefined;
  const { name, details, productImageUrl, hsn } = offer.product;
  const rate = rates.get(hsn);
  const line = { productId, name, details, picture: productImageUrl[0] ?? '', unitPrice: offer.price, quantity, hsn };
  return rate === undefined ? line : { ...line, rate };
};

/** Returns whether the shopper would get and pay the same. Product names and details are not compared. */
const sameCheckout = (one: Checkout & OrderTexts, other: Checkout & OrderTexts): boolean =>
  one.giftWrap === other.giftWrap &&
  orderTextFields.every((field) => one[field] === other[field]) &&
  shippingFields.every((field) => one.shippingAddress[field] === other.shippingAddress[field]) &&
  one.lines.length === other.lines.length &&
  one.lines.every(({ productId, quantity, unitPrice, hsn, ...taxed }, index) => {
    const rate = getRate(taxed);
    const line = other.lines[index];
    return (
      line?.productId === productId &&
      line.quantity === quantity &&
      line.unitPrice === unitPrice &&
      line.hsn === hsn &&
      getRate(line) === rate
    );
  });

const isExpired = (order: ExistingOrder, now: Instant): boolean => now > daysLater(order.quotedAt, DAYS_TO_PLACE);

const unavailable = (lines: readonly CartLine[], offers: Offers): readonly NamedProduct[] =>
  lines
    .filter(({ productId }) => forReserving(offers, productId) === undefined)
    .map(({ productId, name }) => ({ productId, name: offers.get(productId)?.product.name ?? name }));

const findShort = (lines: readonly LineQuantity[], offers: Offers): readonly ShortProduct[] =>
  lines.flatMap(({ productId, quantity }) => {
    const available = offers.get(productId)?.available ?? null;
    return available !== null && available < quantity ? [{ productId, available: Math.max(available, 0) }] : [];
  });

const checkOut = ({ by, lines, offers, rates, ...form }: CreateOrder): Checkout | CheckoutRejection => {
  if (lines.length === 0) return { code: 'cart_empty' };
  const errors = checkoutErrors(form);
  if (Object.keys(errors).length > 0) return { code: 'checkout_invalid', errors };

  const sold = lines.flatMap((line) => sell(line, offers, rates) ?? []);
  if (sold.length < lines.length) return { code: 'items_unavailable', products: unavailable(lines, offers) };
  const products = findShort(lines, offers);
  if (products.length > 0) return { code: 'not_enough_in_stock', products };
  const { giftWrap, shipping } = form;
  return { shopper: by, lines: sold, shippingAddress: normalizeShipping(shipping), giftWrap, ...writtenTexts(form) };
};

/** Checking out the same cart again keeps a placed order unchanged, and gives a draft the form's values and the current prices. */
export const createOrder = (order: Order, command: CreateOrder): Decided => {
  const mine = ownedBy(command.by, order);
  if (order.status !== 'none' && mine === undefined) return reject({ code: 'order_not_found' });
  if (mine !== undefined && mine.placement !== null) return accept();

  const checkout = checkOut(command);
  if ('code' in checkout) return reject(checkout);
  if (mine?.status !== 'created') return accept({ type: 'OrderCreated', data: { ...checkout, createdAt: command.now } });
  if (sameCheckout(mine, completeCheckout(checkout)) && !isExpired(mine, command.now)) return accept();
  return accept({ type: 'OrderRevised', data: { ...checkout, revisedAt: command.now } });
};

const findChangedOffers = (order: ExistingOrder, offers: Offers): readonly ChangedOffer[] =>
  order.lines
    .map(({ productId, name, unitPrice }) => ({ productId, name, was: unitPrice, now: forReserving(offers, productId)?.price ?? null }))
    .filter(({ was, now }) => was !== now);

/**
 * Places the order at the prices of its checkout, or refuses: no shopper is charged another price unasked. Placing it again changes
 * nothing. The handler has reserved the bottles of counted lines.
 */
export const placeOrder = (order: Order, { by, method, meanwhile, offers, number, now }: PlaceOrder): Decided => {
  const mine = ownedBy(by, order);
  if (mine === undefined) return reject({ code: 'order_not_found' });
  if (mine.status === 'cancelled') return reject({ code: 'order_cancelled' });
  if (mine.placement !== null) return mine.placement.method === method ? accept() : reject({ code: 'order_already_placed' });
  // A refresh would not help: the cart has fewer bottles now.
  if (meanwhile !== undefined) return reject({ code: 'already_ordered', ...meanwhile });
  if (isExpired(mine, now)) return reject({ code: 'order_expired' });

  const products = findChangedOffers(mine, offers);
  if (products.length > 0) return reject({ code: 'offer_changed', products });
  const deliveryState = readPlace(mine.shippingAddress);
  return accept({ type: 'OrderPlaced', data: { number, method, placedAt: now, ...(deliveryState && { deliveryState }) } });
};

/** Abandons the placing of a draft. A placed order keeps its bottles, and a cancelled order cannot be placed. */
export const abandonPlacing = (order: Order, { now: abandonedAt }: AbandonPlacing): Decided =>
  order.status === 'created' ? accept({ type: 'PlacingAbandoned', data: { abandonedAt } }) : accept();
