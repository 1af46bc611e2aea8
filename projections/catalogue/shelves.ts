import type { ProductId } from '#domain/shared/ids.ts';

import { Names } from './names.ts';
import { families, type Family, folded, type Item } from './item.ts';
import { Merge, Shelf, type PriceRange, type ShelfMark } from './shelf.ts';
import { Seen, Roster } from './roster.ts';
import { orders, type Sort, type SortKey } from './sorting.ts';

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

export type Question = { readonly filter: Filter; readonly sort: Sort; readonly limit: number; readonly after?: SortKey | undefined };

/** `total` counts all that were asked for, on whatever page; `more` says whether any come after these. */
export type Found = { readonly items: readonly Item[]; readonly total: number; readonly more: boolean };

type Test = (item: Item) => boolean;

const priceTest =
  ({ min, max }: PriceRange): Test =>
  ({ price }) =>
    price >= min && price <= max;

const nameTest = (text: string, { price }: Filter): Test => {
  const isPriced = price && priceTest(price);
  return (item) => item.name.includes(text) && (!isPriced || isPriced(item));
};

const flags = [false, true] as const;
const flagFits = (wanted: boolean | undefined, is: boolean): boolean => wanted === undefined || wanted === is;

/** Whether what has this family and these flags is asked for. */
const fits = ({ families, featured, bestseller, trending }: Filter, mark: ShelfMark): boolean =>
  (!families || families.has(mark.category)) &&
  flagFits(featured, mark.featured) &&
  flagFits(bestseller, mark.bestseller) &&
  flagFits(trending, mark.trending);

/** One for each family with each set of flags, in the order of `indexOf`. */
const newShelves = (): readonly Shelf[] =>
  families.flatMap((category) =>
    flags.flatMap((featured) =>
      flags.flatMap((bestseller) => flags.map((trending) => new Shelf({ category, featured, bestseller, trending }))),
    ),
  );

const indexOf = ({ category, featured, bestseller, trending }: ShelfMark): number =>
  families.indexOf(category) * 8 + Number(featured) * 4 + Number(bestseller) * 2 + Number(trending);

type Change = { readonly gone: Item[]; readonly come: Item[] };

/**
 * All products of the shop in memory, on 48 shelves (five families and none, times three flags). A question picks shelves and merges
 * them, so a page costs the same in a small and in a large shop, and the total is counted by binary search, not by looking.
 */
export class Shelves {
  readonly #roster = new Roster();
  readonly #shelves = newShelves();
  readonly #names = new Names();
  readonly #wanted = new Seen();

  get size(): number {
    return this.#roster.size;
  }

  ids(): Iterable<ProductId> {
    return this.#roster.ids();
  }

  get(id: string): Item | undefined {
    return this.#roster.get(id);
  }

  /** Takes products away and puts others in, or in the place of what they were. */
  change(gone: readonly ProductId[], come: readonly Item[]): void {
    const changes = new Map<number, Change>();
    const changesOn = (item: Item): Change => {
      const index = indexOf(item);
      const known = changes.get(index) ?? { gone: [], come: [] };
      changes.set(index, known);
      return known;
    };
    for (const id of gone) this.#take(id, changesOn);
    // Of one that comes more than once the last counts.
    for (const item of new Map(come.map((item) => [item.id, item])).values()) this.#put(item, changesOn);
    for (const [index, change] of changes) this.#shelves[index]?.change(change.gone, change.come);
  }

  #take(id: ProductId, changesOn: (item: Item) => Change): void {
    const [item, number] = [this.#roster.get(id), this.#roster.numberOf(id)];
    if (!item || number === undefined) return;
    changesOn(item).gone.push(item);
    this.#names.remove(number, item.category);
    this.#roster.strike(id);
  }

  #put(item: Item, changesOn: (item: Item) => Change): void {
    const before = this.#roster.get(item.id);
    const number = this.#roster.enter(item, indexOf(item));
    changesOn(item).come.push(item);
    if (before) changesOn(before).gone.push(before);
    if (before && before.name === item.name && before.category === item.category) return;
    if (before) this.#names.remove(number, before.category);
    this.#names.add(number, item.name, item.category);
  }

  find(question: Question): Found {
    const { filter, sort } = question;
    const shelves = this.#shelves.filter((shelf) => shelf.size > 0 && fits(filter, shelf.mark));
    if (filter.name !== undefined) return this.#findNamed(folded(filter.name), shelves, question);

    const total = shelves.reduce((sum, shelf) => sum + shelf.count(filter.price), 0);
    const { price } = filter;
    if (!price || sort === 'price' || sort === '-price') return { ...walk(shelves, question, () => true), total };
    if (isFew(total, shelves, question))
      return pick(
        shelves.flatMap((shelf) => shelf.priced(price)),
        question,
      );
    return { ...walk(shelves, question, priceTest(price)), total };
  }

  #findNamed(name: string, shelves: readonly Shelf[], question: Question): Found {
    const containing = this.#names.containing(name);
    const named = containing.length > 0 ? containing : this.#names.like(name);
    const numbers = this.#fitting(named, question.filter);
    if (isFew(numbers.length, shelves, question)) return pick(this.#itemsAt(numbers), question);
    const test = containing.length > 0 ? nameTest(name, question.filter) : this.#numberTest(numbers);
    return { ...walk(shelves, question, test), total: numbers.length };
  }

  #numberTest(numbers: readonly number[]): Test {
    this.#wanted.clear();
    for (const number of numbers) this.#wanted.add(number);
    return ({ id }) => this.#wanted.has(this.#roster.numberOf(id));
  }

  /** Those of the products that have the families, flags and prices asked for. */
  #fitting(numbers: readonly number[], filter: Filter): readonly number[] {
    const { price } = filter;
    const fitting = this.#shelves.map((shelf) => fits(filter, shelf.mark));
    if (!price && fitting.every(Boolean)) return numbers;
    const [min, max] = price ? [price.min, price.max] : [0, Number.POSITIVE_INFINITY];
    return numbers.filter((number) => {
      const amount = this.#roster.priceAt(number);
      return amount >= min && amount <= max && fitting[this.#roster.shelfAt(number)];
    });
  }

  #itemsAt(numbers: readonly number[]): Item[] {
    return numbers.flatMap((number) => this.#roster.at(number) ?? []);
  }
}

/** A step along the shelves costs about as much as so many comparisons of a sort. */
const STEP = 8;

/** Whether sorting this many is less work than walking along the shelves until the page is full. */
const isFew = (count: number, shelves: readonly Shelf[], { limit }: Question): boolean => {
  const onShelves = shelves.reduce((sum, { size }) => sum + size, 0);
  return count * count * Math.log2(count + 2) <= STEP * limit * onShelves;
};

/** The page of these items, in no order yet. */
const pick = (items: readonly Item[], { sort, limit, after }: Question): Found => {
  const order = orders[sort];
  const rest = after ? items.filter((item) => order(item, after) > 0) : [...items];
  return { items: rest.sort(order).slice(0, limit), total: items.length, more: rest.length > limit };
};

/** The page as it is met along the shelves. */
const walk = (shelves: readonly Shelf[], { filter, sort, limit, after }: Question, test: Test): Omit<Found, 'total'> => {
  const merge = new Merge(
    shelves.map((shelf) => shelf.run(sort, after, filter.price)),
    orders[sort],
  );
  const items: Item[] = [];
  for (let item = merge.next(); item; item = merge.next()) {
    if (!test(item)) continue;
    if (items.length === limit) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
};
