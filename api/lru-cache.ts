/**
 * What was used lately, by key: `capacity` at most, and half of that for sure. In two generations, of which the older one goes as a whole when
 * the newer is full: to be used costs one look then, where an order of all by their last use costs a removal, which leaves a map with gaps.
 */
export class LruCache<Value> {
  readonly #half: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2);
  }

  get(key: string): Value | undefined {
    const known = this.#newer.get(key);
    if (known !== undefined) return known;
    const before = this.#older.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: string): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
