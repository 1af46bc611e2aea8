import { normalizeText } from '#domain/shared/text.ts';

import { ProductGroup, searchNames, type Matches, type PriceRange, type Test } from './product-group.ts';
import { comparators, type Family, type IndexedProduct, type Sort, type SortKey } from './indexed-product.ts';

/** Which products are asked for; what is left out does not matter. */
export type Filter = {
  readonly families?: ReadonlySet<Family> | undefined;
  readonly featured?: boolean | undefined;
  readonly bestseller?: boolean | undefined;
  readonly trending?: boolean | undefined;
  readonly price?: PriceRange | undefined;
  /** A part of the name, or, when no product of the shop has such a name, something like it. */
  readonly name?: string | undefined;
};

export type ListingQuery = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly after?: SortKey | undefined };

/** `total` counts all that were asked for, on whatever page; `more` says whether any come after these. */
export type ListingResult = { readonly items: readonly IndexedProduct[]; readonly total: number; readonly more: boolean };

/** What the items of a group have in common. */
const traitsOf = ({ category, featured, bestseller, trending }: IndexedProduct): string =>
  `${category} ${featured} ${bestseller} ${trending}`;

const byTraits = (items: readonly IndexedProduct[]): ReadonlyMap<string, readonly IndexedProduct[]> => {
  const lists = new Map<string, IndexedProduct[]>();
  for (const item of items) {
    const list = lists.get(traitsOf(item));
    if (list) list.push(item);
    else lists.set(traitsOf(item), [item]);
  }
  return lists;
};

const hasFlag = (wanted: boolean | undefined, flag: boolean): boolean => wanted === undefined || wanted === flag;

/** Whether the families and flags asked for are those of a group, of which any item tells. */
const isAskedFor = ({ families, featured, bestseller, trending }: Filter, item: IndexedProduct): boolean =>
  (!families || families.has(item.category)) &&
  hasFlag(featured, item.featured) &&
  hasFlag(bestseller, item.bestseller) &&
  hasFlag(trending, item.trending);

/**
 * All products of the shop in memory, in groups of the same family and flags (at most 48), each sorted in every order. A page is put
 * together from the beginnings of the groups that are asked for, and the total is counted by binary search, so that both cost about the
 * same in a small and in a large shop.
 */
export class ProductIndex {
  readonly #items = new Map<string, IndexedProduct>();
  readonly #groups = new Map<string, ProductGroup>();

  /** How many products the shop offers. */
  get size(): number {
    return [...this.#groups.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** A product that the shop offers, or has offered. */
  get = (id: string): IndexedProduct | undefined => this.#items.get(id);

  /** Takes in products, or what has become of them; of one that is named more than once the last counts. */
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
    const { price, name } = filter;
    const order = comparators[sort];
    const isPriced: Test = (item) => !price || (item.price >= price.min && item.price <= price.max);
    /** True from an item on, in this order: after the cursor and, when it is by price, within the range. */
    const isReached: Test = (item) =>
      (!after || order(item, after) > 0) &&
      (!price || ((sort !== 'price' || item.price >= price.min) && (sort !== '-price' || item.price <= price.max)));
    const groups = [...this.#groups.values()].filter((group) =>
      group
        .in(sort)
        .slice(0, 1)
        .some((item) => isAskedFor(filter, item)),
    );

    const named = name === undefined ? undefined : searchNames(normalizeText(name), [...this.#groups.values()]);
    const matchesIn = (group: ProductGroup): Matches => {
      if (!named) return group.priced(price);
      if (!price) return named.of(group);
      const items = named.of(group).items().filter(isPriced);
      return { size: items.length, items: () => items };
    };
    const matches = groups.map(matchesIn);
    const total = matches.reduce((sum, { size }) => sum + size, 0);
    // A few are sorted; of many the first of each group are soon found.
    const candidates =
      total * total <= limit * this.size
        ? matches.flatMap(({ items }) => items()).filter(isReached)
        : groups.flatMap((group) => group.first(limit + 1, sort, isReached, (item) => isPriced(item) && (!named || named.has(item))));
    return { items: candidates.sort(order).slice(0, limit), total, more: candidates.length > limit };
  }
}
