import { BloomFilter } from './bloom-filter.ts';
import { weightOf, type AnyRow, type Changes } from './changes.ts';
import { Journal } from './journal.ts';

/** What is known of a key. Changed in place: there is one for every row in memory, and events come by the hundred thousand. */
type Entry = {
  /** Undefined when there is no such row. */
  row: AnyRow | undefined;
  /** Whether the database may hold one. */
  readonly stored: boolean;
  /** Whether it is not what is stored. */
  changed: boolean;
  /** Whether it was changed since rows were last taken out. */
  recent: boolean;
  weight: number;
};

/** A `rows` table in memory: rows read from the database or set by handlers. */
export class RowsInMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #journal = new Journal<{ readonly row: AnyRow | undefined; readonly changed: boolean }>();
  /** The keys that the event being applied may read. */
  #named: readonly string[] = [];
  /** Whether any event has read of this table: if none does, there is no use in keeping what is to be written. */
  isRead = false;
  /** Keys that were taken out; undefined when the table held rows before, whose keys nobody knows. */
  readonly #takenOut: BloomFilter | undefined;
  weight = 0;

  constructor(
    readonly key: string,
    { startsEmpty }: { startsEmpty: boolean },
  ) {
    this.#takenOut = startsEmpty ? new BloomFilter() : undefined;
  }

  /** Whether it need not be loaded: its row is here, or certainly nowhere. */
  knows = (key: string): boolean => this.#entries.has(key) || !this.#mayBeStored(key);

  #mayBeStored = (key: string): boolean => this.#takenOut?.mayHave(key) ?? true;

  learn(keys: readonly string[], rows: readonly AnyRow[]): void {
    const found = new Map(rows.map((row) => [String(row[this.key]), row]));
    for (const key of keys) this.#enter(key, found.get(key), { stored: found.has(key), changed: false });
  }

  begin(named: readonly string[]): void {
    this.#named = named;
    this.isRead ||= named.length > 0;
    this.#journal.begin();
  }

  get(key: string): AnyRow | undefined {
    // Also when a neighbour in the batch has loaded it: what an event does must not depend on how events are batched.
    const named = this.#named.find((each) => each === key);
    if (named === undefined) throw new Error(`Key ${key} was not loaded: the projector's keys() must name it for this event`);
    // By the text that was looked up before, whose hash is known.
    return this.#entries.get(named)?.row;
  }

  set = (row: AnyRow): void => this.#change(String(row[this.key]), row);

  delete = (key: string): void => this.#change(key, undefined);

  #change(key: string, row: AnyRow | undefined): void {
    const entry = this.#entries.get(key);
    if (!entry) {
      this.#journal.note(key, undefined);
      this.#enter(key, row, { stored: this.#mayBeStored(key), changed: true });
      return;
    }
    this.#journal.note(key, { row: entry.row, changed: entry.changed });
    // Rows grow little from event to event: those that stay are weighed anew when others are taken out.
    if (!entry.row) this.#weigh(entry, row);
    entry.row = row;
    entry.changed = true;
    entry.recent = true;
  }

  #enter(key: string, row: AnyRow | undefined, is: { stored: boolean; changed: boolean }): void {
    const weight = weightOf(row);
    this.#entries.set(key, { row, stored: is.stored, changed: is.changed, recent: true, weight });
    this.weight += weight;
  }

  #weigh(entry: Entry, row: AnyRow | undefined): void {
    const weight = weightOf(row);
    this.weight += weight - entry.weight;
    entry.weight = weight;
  }

  #leave(key: string, { weight }: Entry): void {
    this.#entries.delete(key);
    this.weight -= weight;
  }

  undo(): void {
    for (const [key, before] of this.#journal.before()) {
      const entry = this.#entries.get(key);
      if (!entry) continue;
      if (before) Object.assign(entry, before);
      else this.#leave(key, entry);
    }
    this.#journal.begin();
  }

  changes(): Changes {
    const changes = noChanges();
    for (const [key, entry] of this.#entries) collect(changes, key, entry);
    return changes;
  }

  /** Rows that have not changed since the last time go first, in the order in which they came; then the others. */
  takeOut(share: number): Changes {
    const changes = noChanges();
    const enough = this.weight * share;
    for (const anyway of [false, true]) {
      for (const [key, entry] of this.#entries) {
        if (share > 0 && this.weight <= enough) break;
        if (entry.recent && !anyway) continue;
        collect(changes, key, entry);
        this.#takenOut?.add(key);
        this.#leave(key, entry);
      }
    }
    for (const entry of this.#entries.values()) {
      if (!entry.recent) continue;
      entry.recent = false;
      this.#weigh(entry, entry.row);
    }
    return changes;
  }
}

type Collected = { readonly fresh: AnyRow[]; readonly put: AnyRow[]; readonly gone: string[] };
const noChanges = (): Collected => ({ fresh: [], put: [], gone: [] });

const collect = (into: Collected, key: string, { row, stored, changed }: Entry): void => {
  if (!changed) return;
  if (row) (stored ? into.put : into.fresh).push(row);
  else if (stored) into.gone.push(key);
};
