import type { StreamName } from '../event-store.ts';
import { accept, afterUnknown, reject, type Decider, type Decision } from '../shared/decider.ts';
import type { ProductId, ShopperId } from '../shared/ids.ts';
import type { Instant } from '../shared/time.ts';
import type { WishlistEvent } from './events.ts';

export const wishlistStream = (shopper: string): StreamName => `wishlist-${shopper}`;

export const MOST_WISHES = 200;

/** The products are listed oldest first. */
export type Wishlist = { readonly products: readonly ProductId[] };

export type AddWish = { readonly type: 'AddWish'; readonly productId: ProductId; readonly now: Instant };
export type RemoveWish = { readonly type: 'RemoveWish'; readonly productId: ProductId; readonly now: Instant };
/** This command is sent at sign-in, to the user's list, with the products of the visitor's. */
export type MergeWishes = {
  readonly type: 'MergeWishes';
  readonly from: ShopperId;
  readonly products: readonly ProductId[];
  readonly now: Instant;
};
export type WishlistCommand = AddWish | RemoveWish | MergeWishes;

export type WishlistRejection = { readonly code: 'wishlist_full'; readonly most: number };

type Decided = Decision<WishlistEvent, WishlistRejection>;

const addWish = ({ products }: Wishlist, { productId, now: addedAt }: AddWish): Decided => {
  if (products.includes(productId)) return accept();
  if (products.length >= MOST_WISHES) return reject({ code: 'wishlist_full', most: MOST_WISHES });
  return accept({ type: 'WishAdded', data: { productId, addedAt } });
};

/** What the full list of the user has no room for is left out: nobody is kept from signing in by it. */
const mergeWishes = ({ products }: Wishlist, { from, products: theirs, now: mergedAt }: MergeWishes): Decided => {
  const added = theirs.filter((productId) => !products.includes(productId)).slice(0, MOST_WISHES - products.length);
  return added.length === 0 ? accept() : accept({ type: 'WishesMerged', data: { from, products: added, mergedAt } });
};

/** Decides about the perfumes that a shopper wishes for. Adding and removing are idempotent. */
export const wishlist: Decider<Wishlist, WishlistCommand, WishlistEvent, WishlistRejection> = {
  initial: { products: [] },
  decide: (state, command) => {
    switch (command.type) {
      case 'AddWish':
        return addWish(state, command);
      case 'RemoveWish': {
        const { productId, now: removedAt } = command;
        return state.products.includes(productId) ? accept({ type: 'WishRemoved', data: { productId, removedAt } }) : accept();
      }
      case 'MergeWishes':
        return mergeWishes(state, command);
    }
  },
  evolve: (state, { type, data }) => {
    switch (type) {
      case 'WishAdded':
        return { products: [...state.products, data.productId] };
      case 'WishRemoved':
        return { products: state.products.filter((each) => each !== data.productId) };
      case 'WishesMerged':
        return { products: [...state.products, ...data.products] };
      default:
        return afterUnknown(type, state);
    }
  },
};
