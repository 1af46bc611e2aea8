import type { ProductId } from '#domain/shared/ids.ts';

import type { Item } from './item.ts';
import { Column } from './number-sets.ts';

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
