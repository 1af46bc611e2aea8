/** Closes everything in reverse order, also when opening fails half way. */
export class Resources {
  readonly #closings: (() => Promise<unknown>)[] = [];

  with<Thing>(thing: Thing, close: (thing: Thing) => Promise<unknown>): Thing {
    this.#closings.push(() => close(thing));
    return thing;
  }

  close = async (): Promise<void> => {
    for (let closing = this.#closings.pop(); closing; closing = this.#closings.pop()) await closing();
  };
}
