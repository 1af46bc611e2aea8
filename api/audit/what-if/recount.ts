import type { Recorded } from '#domain/event-store.ts';
import type { OrderEvent } from '#domain/order/events.ts';
import { addUpSales, isSale, saleChange, type OtherRules, type RecountedSale, type WhatIf } from '#domain/order/what-if.ts';

import { SpillFile } from '../books/spill-file.ts';

/** Up to this many differing orders are sorted; each takes a quarter of a kilobyte. */
const MOST_SORTED = 100_000;
const BATCH = 500;

const inOrderOfPlacing = (one: RecountedSale, other: RecountedSale): number => (one.placedAt < other.placedAt ? -1 : 1);

function* inBatches(sales: readonly RecountedSale[]): Generator<readonly RecountedSale[]> {
  for (let start = 0; start < sales.length; start += BATCH) yield sales.slice(start, start + BATCH);
}

/**
 * Recalculates all orders under other rules. The changes of their events are kept in a temporary file with 64 partitions of orders, and one
 * partition is read into memory at a time.
 */
export class Recount {
  readonly #rules: OtherRules;
  readonly #changes: SpillFile;
  #sums: WhatIf | undefined;

  private constructor(rules: OtherRules, changes: SpillFile) {
    this.#rules = rules;
    this.#changes = changes;
  }

  static async open(rules: OtherRules): Promise<Recount> {
    return new Recount(rules, await SpillFile.open(0));
  }

  /** Takes the next events, each stream's in order. */
  async take(events: readonly Recorded<OrderEvent>[]): Promise<void> {
    for (const event of events) {
      const change = saleChange(event, this.#rules);
      if (change) await this.#changes.put(event.stream, JSON.stringify([event.stream, change]));
    }
  }

  /** Returns the sums of all events, after the last was taken. */
  async sums(): Promise<WhatIf> {
    if (this.#sums) return this.#sums;
    const { add, sums } = addUpSales();
    for await (const sales of this.#sales()) sales.forEach(add);
    return (this.#sums = sums());
  }

  /** Yields the differing orders in batches, in order of placing; if there are more than a hundred thousand, in no order. */
  async *differing(): AsyncGenerator<readonly RecountedSale[]> {
    const isSorted = (await this.sums()).differing.orders <= MOST_SORTED;
    const all: RecountedSale[] = [];
    for await (const sales of this.#sales()) {
      const found = sales.filter(({ was, wouldBe }) => was !== wouldBe);
      if (isSorted) for (const sale of found) all.push(sale);
      else yield* inBatches(found);
    }
    yield* inBatches(all.toSorted(inOrderOfPlacing));
  }

  close(): Promise<void> {
    return this.#changes.close();
  }

  async *#sales(): AsyncGenerator<readonly RecountedSale[]> {
    for await (const partition of this.#changes.partitions()) {
      const orders = new Map<string, Partial<RecountedSale>>();
      for await (const lines of partition)
        for (const line of lines) {
          const [stream, change] = JSON.parse(line) as [string, Partial<RecountedSale>];
          orders.set(stream, { ...orders.get(stream), ...change });
        }
      yield [...orders.values()].filter(isSale);
    }
  }
}
