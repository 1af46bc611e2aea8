/** What the event being applied has overwritten, so that it can be undone. Its places are used again by the next event. */
export class Journal<Value> {
  readonly #keys: string[] = [];
  readonly #before: (Value | undefined)[] = [];
  #length = 0;

  begin(): void {
    this.#length = 0;
  }

  note(key: string, before: Value | undefined): void {
    this.#keys[this.#length] = key;
    this.#before[this.#length] = before;
    this.#length++;
  }

  /** What was there before, the last overwritten first. */
  *before(): Generator<[key: string, before: Value | undefined]> {
    for (let index = this.#length - 1; index >= 0; index--) yield [this.#keys[index] ?? '', this.#before[index]];
  }
}
