import { STANDARD_RATE } from '../tax/rates.ts';
import type { Rates } from '../tax/tax.ts';
import { cart, type AddItem, type Cart, type ChangeQuantity, type MergeCarts, type TakeOrderedItems } from '../cart/cart.ts';
import type { CartEvent, CartLine, LineQuantity } from '../cart/events.ts';
import type { Offer, Offers } from '../product/offer.ts';
import { toView } from '../product/view.ts';
import { orderId, shopperId, type ProductId } from '../shared/ids.ts';
import { instant } from '../shared/time.ts';
import { paise } from '../shared/money.ts';
import { added, offeredAfter, oudSaffronMajlis, ruhGulab, ruhGulabAdded } from './products.ts';

/** Meera and Ravi are signed in; the third shopper is a visitor. */
export const meera = shopperId('meera');
export const ravi = shopperId('ravi');
export const visitor = shopperId('visitor-7f3a');

export const anOrder = orderId('0b8c4f1e-52aa-8d3c-9b1f-6a0d2c7e91f4');
export const anotherOrder = orderId('5d1e0c77-9a42-8f60-a3b8-1c44e07b2d95');

export const morning = instant('2026-11-14T05:00:00.000Z');
export const noon = instant('2026-11-14T06:30:00.000Z');
export const evening = instant('2026-11-14T13:00:00.000Z');

const oudOffer: Offer = {
  product: toView(oudSaffronMajlis, offeredAfter(added())),
  price: paise(3_450_00),
  removed: false,
  available: null,
};
const gulabOffer: Offer = {
  product: toView(ruhGulab, offeredAfter(ruhGulabAdded())),
  price: paise(2_450_00),
  removed: false,
  available: null,
};

type Changes = { price?: Offer['price']; inStock?: boolean; removed?: boolean; available?: number };
const changed = (offer: Offer, { price = offer.price, available, inStock = available !== 0, removed = false }: Changes): Offer => ({
  product: { ...offer.product, inStock },
  price,
  removed,
  available: available ?? null,
});

/** Returns a catalogue with Oud Saffron Majlis (₹3,450.00) and Ruh Gulab (₹2,450.00), with these changes. */
export const createOffers = ({ oud = {}, gulab = {} }: { oud?: Changes; gulab?: Changes } = {}): Offers =>
  new Map([
    [oudSaffronMajlis, changed(oudOffer, oud)],
    [ruhGulab, changed(gulabOffer, gulab)],
  ]);

/** These rates tax everything at 18%. */
export const standardRates: Rates = { get: () => STANDARD_RATE };

export const oudLine = (quantity = 1): CartLine => ({
  productId: oudSaffronMajlis,
  name: 'Oud Saffron Majlis',
  price: paise(3_450_00),
  quantity,
});
export const gulabLine = (quantity = 1): CartLine => ({ productId: ruhGulab, name: 'Ruh Gulab', price: paise(2_450_00), quantity });

export const itemAdded = (line = oudLine(), addedAt = morning): CartEvent => ({ type: 'ItemAdded', data: { ...line, addedAt } });
export const quantityChanged = (productId: ProductId, quantity: number, changedAt = noon): CartEvent => ({
  type: 'QuantityChanged',
  data: { productId, quantity, changedAt },
});
export const itemRemoved = (productId: ProductId, removedAt = noon): CartEvent => ({ type: 'ItemRemoved', data: { productId, removedAt } });
export const cartClosed = (into = meera, closedAt = noon): CartEvent => ({ type: 'CartClosed', data: { into, closedAt } });
export const cartsMerged = (lines: readonly CartLine[], noRoomFor: readonly CartLine[] = []): CartEvent => ({
  type: 'CartsMerged',
  data: {
    from: visitor,
    into: meera,
    lines,
    closedAt: noon,
    mergedAt: noon,
    ...(noRoomFor.length > 0 && { noRoomFor: noRoomFor.map(({ productId, name, quantity }) => ({ productId, name, quantity })) }),
  },
});
export const orderedItemsTaken = (lines: readonly LineQuantity[], order = anOrder, placedAt = noon, takenAt = noon): CartEvent => ({
  type: 'OrderedItemsTaken',
  data: { order, lines, placedAt, takenAt },
});

export const addItem = (changes: Partial<AddItem> = {}): AddItem => ({
  type: 'AddItem',
  productId: oudSaffronMajlis,
  quantity: 1,
  offers: createOffers(),
  now: morning,
  ...changes,
});
export const changeQuantity = (productId: ProductId, quantity: number): ChangeQuantity => ({
  type: 'ChangeQuantity',
  productId,
  quantity,
  now: noon,
});
export const removeItem = (productId: ProductId) => ({ type: 'RemoveItem', productId, now: noon }) as const;
export const closeCart = (into = meera) => ({ type: 'CloseCart', into, now: noon }) as const;
export const mergeCarts = (lines: readonly CartLine[], changes: Partial<MergeCarts> = {}): MergeCarts => ({
  type: 'MergeCarts',
  from: visitor,
  into: meera,
  lines,
  closedAt: noon,
  now: noon,
  ...changes,
});
export const takeOrderedItems = (lines: readonly LineQuantity[], changes: Partial<TakeOrderedItems> = {}): TakeOrderedItems => ({
  type: 'TakeOrderedItems',
  order: anOrder,
  lines,
  placedAt: noon,
  now: noon,
  ...changes,
});

export const cartAfter = (...events: readonly CartEvent[]): Cart => events.reduce(cart.evolve, cart.initial);
