import type { ProductId } from '#domain/shared/ids.ts';

import type { Item } from './item.ts';

const doubled = (length: number, atLeast: number): number => Math.max(1024, 2 * length, atLeast + 1);

/** A set of small numbers that is emptied at once: each keeps the round in which it was seen. */
export class Seen {
  #rounds = new Uint32Array(0);
  #round = 1;

  clear(): void {
    if (this.#round === 0xff_ff_ff_ff) {
      this.#rounds.fill(0);
      this.#round = 0;
    }
    this.#round++;
  }

  has(number: number | undefined): boolean {
    return number !== undefined && this.#rounds[number] === this.#round;
  }

  /** Whether the number was not in it before. */
  add(number: number): boolean {
    if (this.has(number)) return false;
    if (number >= this.#rounds.length) this.#grow(number);
    this.#rounds[number] = this.#round;
    return true;
  }

  #grow(number: number): void {
    const rounds = new Uint32Array(doubled(this.#rounds.length, number));
    rounds.set(this.#rounds);
    this.#rounds = rounds;
  }
}

/** Sums by small number. */
export class Scores {
  #sums = new Float64Array(0);
  readonly #scored: number[] = [];

  clear(): void {
    for (const number of this.#scored) this.#sums[number] = 0;
    this.#scored.length = 0;
  }

  /** Adds to the sum of a number; what is added is above 0. */
  add(number: number, value: number): void {
    if (number >= this.#sums.length) this.#grow(number);
    const sum = this.#sums[number] ?? 0;
    if (sum === 0) this.#scored.push(number);
    this.#sums[number] = sum + value;
  }

  /** The numbers whose sum is at least this share of the highest. */
  best(share: number): number[] {
    let highest = 0;
    for (const number of this.#scored) highest = Math.max(highest, this.#sums[number] ?? 0);
    return this.#scored.filter((number) => (this.#sums[number] ?? 0) >= highest * share);
  }

  #grow(number: number): void {
    const sums = new Float64Array(doubled(this.#sums.length, number));
    sums.set(this.#sums);
    this.#sums = sums;
  }
}

/** A column of numbers by small number, without gaps worth speaking of: half the memory of an array and no object to visit. */
export class Column {
  #values = new Float64Array(0);

  get(number: number): number {
    return this.#values[number] ?? 0;
  }

  set(number: number, value: number): void {
    if (number >= this.#values.length) {
      const values = new Float64Array(doubled(this.#values.length, number));
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[number] = value;
  }
}

/**
 * The products offered, each with a small number that it keeps as long as it is offered: a search then deals in arrays of numbers and
 * looks at a product only when it is on the page.
 */
export class Roster {
  readonly #numbers = new Map<string, number>();
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #prices = new Column();
  readonly #shelves = new Column();

  get size(): number {
    return this.#numbers.size;
  }

  *ids(): Generator<ProductId> {
    for (const item of this.#items) if (item) yield item.id;
  }

  get(id: string): Item | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#items[number];
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  at(number: number): Item | undefined {
    return this.#items[number];
  }

  priceAt(number: number): number {
    return this.#prices.get(number);
  }

  shelfAt(number: number): number {
    return this.#shelves.get(number);
  }

  /** Enters a product, or what has become of it, on the shelf of this index. Answers with its number. */
  enter(item: Item, shelf: number): number {
    const number = this.#numbers.get(item.id) ?? this.#free.pop() ?? this.#items.length;
    this.#numbers.set(item.id, number);
    this.#items[number] = item;
    this.#prices.set(number, item.price);
    this.#shelves.set(number, shelf);
    return number;
  }

  strike(id: ProductId): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#items[number] = undefined;
    this.#free.push(number);
  }
}
