/** `lasts`: for how long something is known, in ms; `most`: of how many; `now`: a clock in ms. */
type Options = { readonly lasts: number; readonly most: number; readonly now?: () => number };

type Entry<Value> = { readonly value: Value; readonly until: number };

/** What was looked up lately, by key. Something known goes when its time is over, or when there is too much that came after it. */
export class TtlCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #lasts: number;
  readonly #most: number;
  readonly #now: () => number;

  constructor({ lasts, most, now = () => performance.now() }: Options) {
    this.#lasts = lasts;
    this.#most = most;
    this.#now = now;
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
    // About in the order in which their time is over.
    for (const [oldest, { until }] of this.#entries) {
      if (until > since && this.#entries.size <= this.#most) break;
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
