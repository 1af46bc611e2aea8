import { normalizeText } from '#domain/shared/text.ts';

import { ProductGroup, searchNames, type Matches, type PriceRange, type Predicate } from './product-group.ts';
import { comparators, type CategoryOrNone, type IndexedProduct, type Sort, type SortKey } from './indexed-product.ts';

/** All filters must match; missing filters match everything. */
export type Filter = {
  readonly categories?: ReadonlySet<CategoryOrNone> | undefined;
  readonly featured?: boolean | undefined;
  readonly bestseller?: boolean | undefined;
  readonly trending?: boolean | undefined;
  readonly inStock?: boolean | undefined;
  readonly pictured?: boolean | undefined;
  readonly price?: PriceRange | undefined;
  /** The text is a part of the name. If no product of the shop contains it, similar names match. */
  readonly name?: string | undefined;
};

export type ListingQuery = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly after?: SortKey | undefined };

/** `total` counts the matches on all pages; `more` is true if there is a next page. */
export type ListingResult = { readonly items: readonly IndexedProduct[]; readonly total: number; readonly more: boolean };

const formatTraits = ({ category, featured, bestseller, trending }: IndexedProduct): string =>
  `${category} ${featured} ${bestseller} ${trending}`;

const byTraits = (items: readonly IndexedProduct[]): ReadonlyMap<string, readonly IndexedProduct[]> => {
  const lists = new Map<string, IndexedProduct[]>();
  for (const item of items) {
    const list = lists.get(formatTraits(item));
    if (list) list.push(item);
    else lists.set(formatTraits(item), [item]);
  }
  return lists;
};

const hasFlag = (wanted: boolean | undefined, flag: boolean): boolean => wanted === undefined || wanted === flag;

/** Returns whether a group matches the filter by category and flags, which all its products share. */
const isAskedFor = ({ categories, featured, bestseller, trending }: Filter, [item]: readonly IndexedProduct[]): boolean =>
  item !== undefined &&
  (!categories || categories.has(item.category)) &&
  hasFlag(featured, item.featured) &&
  hasFlag(bestseller, item.bestseller) &&
  hasFlag(trending, item.trending);

/**
 * Keeps all products in at most 48 groups of the same category and flags, each sorted in every order. Page and total are found by merging
 * and binary search: their cost hardly depends on the number of products.
 */
export class ProductIndex {
  readonly #items = new Map<string, IndexedProduct>();
  readonly #groups = new Map<string, ProductGroup>();

  get size(): number {
    return [...this.#groups.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns a product, even if it was removed. */
  get = (id: string): IndexedProduct | undefined => this.#items.get(id);

  /** Adds, replaces and removes products; if one occurs more than once, the last counts. */
  change(items: readonly IndexedProduct[]): void {
    const gone: IndexedProduct[] = [];
    const come: IndexedProduct[] = [];
    for (const item of new Map(items.map((item) => [item.id, item])).values()) {
      const before = this.#items.get(item.id);
      this.#items.set(item.id, item);
      if (before && !before.removed) gone.push(before);
      if (!item.removed) come.push(item);
    }
    const [goneFrom, comeTo] = [byTraits(gone), byTraits(come)];
    for (const traits of new Set([...goneFrom.keys(), ...comeTo.keys()])) {
      const group = this.#groups.get(traits) ?? new ProductGroup();
      group.change(goneFrom.get(traits) ?? [], comeTo.get(traits) ?? []);
      if (group.size > 0) this.#groups.set(traits, group);
      else this.#groups.delete(traits);
    }
  }

  find({ filter, sort, limit, after }: ListingQuery): ListingResult {
    const { price, name, inStock, pictured } = filter;
    const order = comparators[sort];
    const isOfOne = inStock !== undefined || pictured !== undefined;
    /** Tests what the products of a group do not share. */
    const isWanted: Predicate = (item) =>
      (!price || (item.price >= price.min && item.price <= price.max)) &&
      hasFlag(inStock, item.inStock) &&
      hasFlag(pictured, item.pictured);
    /** Becomes true at some product in this order: after the cursor and, when sorted by price, within the price range. */
    const isReached: Predicate = (item) =>
      (!after || order(item, after) > 0) &&
      (!price || ((sort !== 'price' || item.price >= price.min) && (sort !== '-price' || item.price <= price.max)));
    const groups = [...this.#groups.values()].filter((group) => isAskedFor(filter, group.in(sort)));

    const named = name === undefined ? undefined : searchNames(normalizeText(name), [...this.#groups.values()]);
    const createMatches = (group: ProductGroup): Matches => {
      const matches = named ? named.of(group) : group.priced(price);
      if (!isOfOne && !(named && price)) return matches;
      const items = matches.items().filter(isWanted);
      return { size: items.length, items: () => items };
    };
    const matches = groups.map(createMatches);
    const total = matches.reduce((sum, { size }) => sum + size, 0);
    // Few matches are sorted; of many matches, the first ones of each group are merged.
    const candidates =
      total * total <= limit * this.size
        ? matches.flatMap(({ items }) => items()).filter(isReached)
        : groups.flatMap((group) => group.first(limit + 1, sort, isReached, (item) => isWanted(item) && (!named || named.has(item))));
    return { items: candidates.sort(order).slice(0, limit), total, more: candidates.length > limit };
  }
}
