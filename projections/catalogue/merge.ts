import type { Item } from './item.ts';
import type { Order, SortKey } from './sorting.ts';

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
