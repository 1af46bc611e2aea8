import type { Paise } from '#domain/shared/money.ts';

import type { Item } from './item.ts';
import { type Order, orders, type Sort, type SortKey } from './sorting.ts';

/** Index of the first item that comes after the key in this order, `items.length` when none does. The items are in that order. */
export const firstAfter = (items: readonly Item[], key: SortKey, order: Order): number => bound(items, (item) => order(item, key) > 0);

/** Index of the first item of which it is true, when it is true of all that follow. */
export const bound = (items: readonly Item[], isTrue: (item: Item) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && !isTrue(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A stretch of a sorted array, `from` up to but not `to`; backwards when `step` is -1 (then `to` is below `from`). */
export type Run = { readonly items: readonly Item[]; readonly from: number; readonly to: number; readonly step: 1 | -1 };

type Head = { item: Item; readonly run: Run; at: number };

/** Many sorted runs as one. Costs the logarithm of how many there are, whatever their length: a binary heap of their heads. */
export class Merge {
  readonly #heap: Head[] = [];

  constructor(
    runs: readonly Run[],
    readonly order: Order,
  ) {
    for (const run of runs) {
      const item = run.from === run.to ? undefined : run.items[run.from];
      if (item) this.#heap.push({ item, run, at: run.from });
    }
    for (let index = (this.#heap.length >> 1) - 1; index >= 0; index--) this.#sink(index);
  }

  /** The next item of all runs, `undefined` after the last. */
  next(): Item | undefined {
    const head = this.#heap[0];
    if (!head) return undefined;
    const { item, run } = head;
    head.at += run.step;
    const following = head.at === run.to ? undefined : run.items[head.at];
    if (following) head.item = following;
    else this.#drop();
    this.#sink(0);
    return item;
  }

  #drop(): void {
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) this.#heap[0] = last;
  }

  #sink(start: number): void {
    const head = this.#heap[start];
    if (!head) return;
    let index = start;
    for (;;) {
      const child = this.#firstChild(index);
      const below = this.#heap[child];
      if (!below || this.order(head.item, below.item) <= 0) break;
      this.#heap[index] = below;
      index = child;
    }
    this.#heap[index] = head;
  }

  #firstChild(index: number): number {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one && other && this.order(other.item, one.item) < 0 ? right : left;
  }
}

/** Both ends belong to it. */
export type PriceRange = { readonly min: Paise; readonly max: Paise };

/** The orders in which a shelf keeps its items; the others are one of these, read backwards or among shelves. */
const kept = ['price', '-rating', 'newest', 'name'] as const;
type Kept = (typeof kept)[number];

const keptFor: Readonly<Record<Sort, Kept>> = {
  // On one shelf all are featured or none is, and bestsellers likewise: what is left of this order is the newest first.
  featured: 'newest',
  price: 'price',
  '-price': 'price',
  '-rating': '-rating',
  newest: 'newest',
  name: 'name',
};

/** From how many on sorting once is quicker than putting each in its place. */
const MANY = 64;

/** What items on one shelf have in common: family and flags. */
export type ShelfMark = Pick<Item, 'category' | 'featured' | 'bestseller' | 'trending'>;

/** The products of one family and with the same flags, in every order. */
export class Shelf {
  readonly #sorted: Record<Kept, Item[]> = { price: [], '-rating': [], newest: [], name: [] };

  constructor(readonly mark: ShelfMark) {}

  get size(): number {
    return this.#sorted.price.length;
  }

  /** Takes items away and puts others in. */
  change(gone: readonly Item[], come: readonly Item[]): void {
    for (const order of kept) {
      if (gone.length + come.length > MANY) this.#changeMany(order, gone, come);
      else this.#changeFew(order, gone, come);
    }
  }

  #changeFew(order: Kept, gone: readonly Item[], come: readonly Item[]): void {
    const items = this.#sorted[order];
    // The place after an item of this key is the place after the item.
    for (const item of gone) items.splice(firstAfter(items, item, orders[order]) - 1, 1);
    for (const item of come) items.splice(firstAfter(items, item, orders[order]), 0, item);
  }

  #changeMany(order: Kept, gone: readonly Item[], come: readonly Item[]): void {
    const without = new Set(gone);
    const items = this.#sorted[order].filter((item) => !without.has(item));
    for (const item of come) items.push(item);
    this.#sorted[order] = items.sort(orders[order]);
  }

  #within({ min, max }: PriceRange): [from: number, to: number] {
    const items = this.#sorted.price;
    return [bound(items, ({ price }) => price >= min), bound(items, ({ price }) => price > max)];
  }

  /** How many cost that much. */
  count(range: PriceRange | undefined): number {
    if (!range) return this.size;
    const [from, to] = this.#within(range);
    return Math.max(0, to - from);
  }

  /** Those that cost that much. */
  priced(range: PriceRange): Item[] {
    return this.#sorted.price.slice(...this.#within(range));
  }

  /** The items in this order after a key; of a price range only in the orders by price. */
  run(sort: Sort, after: SortKey | undefined, range: PriceRange | undefined): Run {
    const items = this.#sorted[keptFor[sort]];
    const [first, end] = range && keptFor[sort] === 'price' ? this.#within(range) : [0, items.length];
    if (sort !== '-price') {
      const from = after ? Math.max(first, firstAfter(items, after, orders[sort])) : first;
      return { items, from, to: Math.max(from, end), step: 1 };
    }
    const from =
      (after
        ? Math.min(
            end,
            bound(items, (item) => orders.price(item, after) >= 0),
          )
        : end) - 1;
    return { items, from, to: Math.min(from, first - 1), step: -1 };
  }
}
