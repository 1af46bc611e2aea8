import type { Paise } from '#domain/shared/money.ts';

import type { Item } from './indexed-product.ts';
import { orders, sorts, type Order, type Sort } from './sorting.ts';

/** Both ends belong to it. */
export type PriceRange = { readonly min: Paise; readonly max: Paise };

export type Test = (item: Item) => boolean;

/** Items that were found, in no order; not looked at before they are asked for. */
export type Matches = { readonly size: number; readonly items: () => readonly Item[] };

/** Index of the first item of which it is true, when it is true of all that follow; `items.length` when it is true of none. */
const firstIndex = (items: readonly Item[], isTrue: Test): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && !isTrue(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** From so many changes on it is quicker to sort once than to put each item in its place. */
const MANY = 64;

/** A sorted array without the items that are gone and with those that have come. */
const changed = (items: Item[], order: Order, gone: readonly Item[], come: readonly Item[]): Item[] => {
  if (gone.length + come.length > MANY) {
    const without = new Set(gone);
    return [...items.filter((item) => !without.has(item)), ...come].sort(order);
  }
  for (const item of gone) {
    const at = firstIndex(items, (other) => order(other, item) >= 0);
    items.splice(at, 1);
  }
  for (const item of come) {
    const at = firstIndex(items, (other) => order(other, item) > 0);
    items.splice(at, 0, item);
  }
  return items;
};

/** Names, one a line with a blank before and after it, and where each line begins. */
type Names = { readonly text: string; readonly starts: readonly number[] };

const namesOf = (items: readonly Item[]): Names => {
  const lines = items.map(({ name }) => ` ${name} \n`);
  let end = 0;
  const starts = lines.map(({ length }) => (end += length) - length);
  return { text: lines.join(''), starts };
};

/** The products of the same family and flags, sorted in every order. Their names are looked through as one text, which is quick. */
export class Group {
  readonly #sorted = new Map<Sort, Item[]>();
  #names: Names | undefined;
  #words: ReadonlySet<string> | undefined;

  in = (sort: Sort): readonly Item[] => this.#sorted.get(sort) ?? [];

  get size(): number {
    return this.in('newest').length;
  }

  change(gone: readonly Item[], come: readonly Item[]): void {
    for (const sort of sorts) this.#sorted.set(sort, changed(this.#sorted.get(sort) ?? [], orders[sort], gone, come));
    this.#names = this.#words = undefined;
  }

  /** All in this range of prices. */
  priced(range: PriceRange | undefined): Matches {
    const items = this.in('price');
    if (!range) return { size: items.length, items: () => items };
    const [from, to] = [firstIndex(items, ({ price }) => price >= range.min), firstIndex(items, ({ price }) => price > range.max)];
    return { size: Math.max(0, to - from), items: () => items.slice(from, to) };
  }

  /** In this order, the first items that pass the test, `most` at most, from where `isReached` becomes true, which it then stays. */
  first(most: number, sort: Sort, isReached: Test, isWanted: Test): readonly Item[] {
    const items = this.in(sort);
    const found: Item[] = [];
    for (let at = firstIndex(items, isReached); found.length < most; at++) {
      const item = items[at];
      if (!item) break;
      if (isWanted(item)) found.push(item);
    }
    return found;
  }

  /** Indexes, in the order of the newest, of the items whose (folded) names have this part; a blank stands at both ends of a name. */
  indexesOf(part: string): readonly number[] {
    const { text, starts } = (this.#names ??= namesOf(this.in('newest')));
    const indexes: number[] = [];
    let index = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, starts[index] ?? text.length)) {
      while ((starts[index + 1] ?? text.length) <= at) index++;
      indexes.push(index++);
    }
    return indexes;
  }

  /** The words of its names. */
  get words(): ReadonlySet<string> {
    return (this.#words ??= new Set(this.in('newest').flatMap(({ name }) => name.split(' '))));
  }
}
