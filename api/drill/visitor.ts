/** What a request came to. `unknown`: no answer, or one that does not tell whether it was done. */
export type Told = { readonly status: number; readonly body: unknown; readonly isStale: boolean } | 'unknown';

/** A browser that keeps its cookies, asks any of the shop's processes, and gives up on a silent one. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  constructor(
    readonly urls: () => readonly string[],
    readonly oneOf: (urls: readonly [string, ...string[]]) => string,
    readonly count: (status: string) => void,
    readonly patience = 8_000,
  ) {}

  #keep(headers: Headers): void {
    for (const header of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  async ask(method: string, path: string, body?: unknown, key?: string): Promise<Told> {
    const [first, ...others] = this.urls();
    if (first === undefined) return 'unknown';
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
    };
    try {
      const signal = AbortSignal.timeout(this.patience);
      const answer = await fetch(new URL(path, this.oneOf([first, ...others])), {
        method,
        headers,
        signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const read: unknown = await answer.json();
      this.#keep(answer.headers);
      const { code } = read as { readonly code?: string };
      this.count(code === undefined ? String(answer.status) : `${answer.status} ${code}`);
      if (answer.status >= 500) return 'unknown';
      return { status: answer.status, body: read, isStale: answer.headers.has('X-Stale') };
    } catch {
      this.count('no answer');
      return 'unknown';
    }
  }
}
