/** The outcome is `unknown` without an answer, or if the answer does not tell whether the request was executed. */
export type ClientOutcome = { readonly status: number; readonly body: unknown; readonly code: string | undefined } | 'unknown';

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  /** The request id, which is also in the metadata of events. */
  readonly id?: string;
};

export type Browsing = {
  /** Whether the browser has a session. Idempotency keys belong to a session. */
  readonly isKnown: boolean;
  ask(request: Request): Promise<ClientOutcome>;
  pause(milliseconds: number): Promise<unknown>;
  newId(): string;
};

export class Cookies {
  readonly #values = new Map<string, string>();

  has = (name: string): boolean => this.#values.has(name);

  keep(headers: readonly string[]): void {
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') this.#values.delete(name);
      else this.#values.set(name, value);
    }
  }

  toString(): string {
    return [...this.#values].map((pair) => pair.join('=')).join('; ');
  }
}

/** After a 5xx a client cannot know whether the request was executed. */
export const parseOutcome = (status: number, body: unknown): ClientOutcome => {
  const { code } = body as { readonly code?: string };
  return status >= 500 ? 'unknown' : { status, body, code };
};
