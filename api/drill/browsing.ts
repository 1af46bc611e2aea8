/** What a request came to. `unknown`: no answer, or one that does not tell whether it was done. */
export type Told = { readonly status: number; readonly body: unknown; readonly code: string | undefined } | 'unknown';

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Under which it is done once, however often it arrives. */
  readonly key?: string;
  /** By which the log knows what it brought about. */
  readonly id?: string;
};

/** A browser of the shop, and the time that passes before it. */
export type Browsing = {
  /** Whether the shop knows it again, and hence whose its keys are. */
  readonly isKnown: boolean;
  ask(request: Request): Promise<Told>;
  pause(milliseconds: number): Promise<unknown>;
  /** For a request or a key: one that nobody had before. */
  newId(): string;
};

/** The cookies of a browser. */
export class Cookies {
  readonly #values = new Map<string, string>();

  has = (name: string): boolean => this.#values.has(name);

  /** As `Set-Cookie` has them. */
  keep(headers: readonly string[]): void {
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }

  /** As `Cookie` has them. */
  toString(): string {
    return [...this.#values].map((pair) => pair.join('=')).join('; ');
  }
}

/** An answer as somebody understands it who cannot look behind it. */
export const toldBy = (status: number, body: unknown): Told => {
  const { code } = body as { readonly code?: string };
  return status >= 500 ? 'unknown' : { status, body, code };
};
