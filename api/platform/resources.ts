/** Closes everything in reverse order, even when opening fails half way. After all are closed it throws the first error. */
export class Resources {
  readonly #closings: (() => Promise<unknown>)[] = [];

  with<Thing>(thing: Thing, close: (thing: Thing) => Promise<unknown>): Thing {
    this.#closings.push(() => close(thing));
    return thing;
  }

  close = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let closing = this.#closings.pop(); closing; closing = this.#closings.pop())
      await closing().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
}
