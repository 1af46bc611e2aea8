import { BloomFilter } from './bloom-filter.ts';
import type { AnyRow, Changes } from './changes.ts';
import { CopyTuples } from './copy-tuples.ts';
import { Journal } from './journal.ts';
import type { TableSpec } from './projector.ts';
import { RowsInMemory } from './rows-in-memory.ts';

/** About what it takes to know where the tuple of a key is, in bytes. */
const PLACE = 64;

/**
 * A `rows` table that no event reads, and which was empty at the beginning: a row is a tuple to be copied as soon as it is set. Those
 * whose keys were taken out before are kept as rows.
 */
export class RowsToCopy {
  readonly isRead = false;
  readonly key: string;
  readonly #tuples: CopyTuples;
  /** Where the tuple of a key is. */
  readonly #places = new Map<string, number>();
  /** Tuples that are not to be copied, since another row has taken their place. */
  readonly #replaced: number[] = [];
  readonly #journal = new Journal<number>();
  #began = { length: 0, replaced: 0 };
  readonly #again: RowsInMemory;
  readonly #takenOut = new BloomFilter();

  constructor(
    readonly name: string,
    { key, columns }: Pick<TableSpec, 'key' | 'columns'>,
  ) {
    this.key = key;
    this.#tuples = new CopyTuples(
      name,
      Object.entries(columns).map(([column, kind]) => ({ name: column, kind })),
    );
    this.#again = new RowsInMemory(key, { startsEmpty: false });
  }

  get weight(): number {
    return this.#tuples.length + PLACE * this.#places.size + this.#again.weight;
  }

  knows = (): boolean => true;

  begin(named: readonly string[]): void {
    if (named.length > 0) throw new Error(`${this.name} is said to be read by no event`);
    this.#journal.begin();
    this.#began.length = this.#tuples.length;
    this.#began.replaced = this.#replaced.length;
    this.#again.begin(named);
  }

  get(): never {
    throw new Error(`${this.name} is said to be read by no event`);
  }

  set = (row: AnyRow): void => {
    const key = String(row[this.key]);
    if (this.#takenOut.mayHave(key)) return this.#again.set(row);
    this.#remove(key);
    this.#places.set(key, this.#tuples.append(row));
  };

  delete = (key: string): void => {
    if (this.#takenOut.mayHave(key)) return this.#again.delete(key);
    this.#remove(key);
    this.#places.delete(key);
  };

  #remove(key: string): void {
    const place = this.#places.get(key);
    this.#journal.note(key, place);
    if (place !== undefined) this.#replaced.push(place);
  }

  undo(): void {
    for (const [key, place] of this.#journal.before()) {
      if (place === undefined) this.#places.delete(key);
      else this.#places.set(key, place);
    }
    this.#journal.begin();
    this.#tuples.cut(this.#began.length);
    this.#replaced.length = this.#began.replaced;
    this.#again.undo();
  }

  changes(): Changes {
    throw new Error(`What is set of ${this.name} can only be taken out`);
  }

  takeOut(): Changes {
    const tuples = this.#tuples.take(this.#replaced.splice(0));
    for (const key of this.#places.keys()) this.#takenOut.add(key);
    this.#places.clear();
    return { ...this.#again.takeOut(0), tuples };
  }
}
