import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { Cookies, outcomeOf, type Browsing, type Request, type ClientOutcome } from '../journeys/browsing.ts';

/** In ms. */
const PATIENCE = 8_000;

/** A browser with cookies that uses any of the shop's processes. */
export class Visitor implements Browsing {
  readonly #cookies = new Cookies();

  constructor(
    readonly urls: () => readonly string[],
    readonly oneOf: (urls: readonly [string, ...string[]]) => string,
    readonly count: (status: string) => void = () => undefined,
    /** In ms; then the request is given up and sent again. */
    readonly patience = PATIENCE,
  ) {}

  readonly newId = randomUUID;
  readonly pause = (milliseconds: number): Promise<unknown> => pause(milliseconds);

  get isKnown(): boolean {
    return this.#cookies.has('session');
  }

  async ask({ method, path, body, key, id = this.newId() }: Request): Promise<ClientOutcome> {
    const [first, ...others] = this.urls();
    if (first === undefined) return 'unknown';
    const headers = {
      'X-Request-Id': id,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      Cookie: String(this.#cookies),
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
      this.#cookies.keep(answer.headers.getSetCookie());
      const { code } = read as { readonly code?: string };
      this.count(code === undefined ? String(answer.status) : `${answer.status} ${code}`);
      return outcomeOf(answer.status, read);
    } catch {
      this.count('no answer');
      return 'unknown';
    }
  }
}
