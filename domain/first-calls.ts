import { categories, type Category } from './product/events.ts';

/**
 * A call, below `/api`, whose answer the first paint of a page needs. The server sends the answers along with the page, and the
 * browser, about to make such a call, finds it answered: both sides must write it in the same way, which is this one.
 */
export type FirstCall = { readonly url: string; readonly params: Readonly<Record<string, string | number | boolean>> };

/** As the browser and the server both name the call, whatever the order of its parameters. */
export const nameOf = ({ url, params }: FirstCall): string => {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? url : `${url}?${pairs.toSorted().join('&')}`;
};

/** At most three are featured (specification, section 9). */
export const FEATURED = { url: '/product', params: { isFeatured: true, limit: 3 } } as const satisfies FirstCall;

/** Four steps of four. */
export const BESTSELLERS = { url: '/product', params: { bestsellers: true, limit: 16 } } as const satisfies FirstCall;

/** Products to a step of the listing (specification, section 9). */
export const STEP = 20;

/** The listing as it begins: the whole house, or one family of it. */
export const listingOf = (family?: Category): FirstCall => ({
  url: '/product',
  params: { sort: 'featured', limit: STEP, ...(family && { category: family }) },
});

export const productOf = (id: string): FirstCall => ({ url: `/product/${encodeURIComponent(id)}`, params: {} });

/** Related perfumes in a row on wide screens. */
export const RELATED = 4;

/** Others of the family, one more than is shown: the product itself may be among them. */
export const relatedOf = (family: Category): FirstCall => ({ url: '/product', params: { category: family, limit: RELATED + 1 } });

/** The family that a link's `collection` names, in any letter case; `atar` is how part of the specification spells `attar`. */
export const familyNamed = (collection: string): Category | undefined => {
  const name = collection.toLowerCase() === 'atar' ? 'attar' : collection.toLowerCase();
  return categories.find((category) => category === name);
};
