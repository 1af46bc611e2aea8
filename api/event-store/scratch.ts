const FIRST_SIZE = 1 << 20;

/** Memory that bytes are gathered in, one load of them after the other: what is made anew for each the engine has to collect again. */
export class Scratch {
  #memory = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;

  /** What was gathered, until the next load. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#memory.length));
      this.bytes.copy(larger);
      this.#memory = larger;
    }
    piece.copy(this.#memory, this.#length);
    this.#length = length;
  }
}
