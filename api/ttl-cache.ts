/** `lasts`: for how long something is known, in ms; `most`: of how many; `now`: a clock in ms. */
type Options = { readonly lasts: number; readonly most: number; readonly now?: () => number };

type Entry<Value> = { readonly value: Value; readonly until: number };

/** What was looked up lately, by key. Something known goes when its time is over, or when there is too much that came after it. */
export class TtlCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #lasts: number;
  readonly #most: number;
  readonly #now: () => number;
  /** So many go at once: where something was deleted a map has a hole, over which every search for its first entry has to step. */
  readonly #atOnce: number;
  #setSince = 0;

  constructor({ lasts, most, now = () => performance.now() }: Options) {
    this.#lasts = lasts;
    this.#most = most;
    this.#now = now;
    this.#atOnce = Math.floor(most / 8);
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** `since`: when it was asked for, as `now` had it. */
  set(key: string, value: Value, since = this.#now()): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: since + this.#lasts });
    if (this.#entries.size > this.#most || ++this.#setSince > this.#atOnce) this.#clear(since);
  }

  #clear(now: number): void {
    this.#setSince = 0;
    // About in the order in which their time is over.
    for (const [oldest, { until }] of this.#entries) {
      if (until > now && this.#entries.size <= this.#most - this.#atOnce) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets what is known of this kind. */
  deleteWhere(isOne: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isOne(value)) this.#entries.delete(key);
  }
}
