/** Values by key that may weigh so much together. When it is more, those go that have been there for the longest. */
export class Weighed<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  /** `most`: in whatever the weights are given in. */
  constructor(readonly most: number) {}

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** One that is there already keeps its place. */
  set(key: string, value: Value, weight: number): void {
    this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
    this.#entries.set(key, { value, weight });
    // The first of a map is what has been in it for the longest.
    for (const longest of this.#entries.keys()) {
      if (this.#weight <= this.most) break;
      this.delete(longest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
