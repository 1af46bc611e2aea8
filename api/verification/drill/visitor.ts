import { randomUUID } from 'node:crypto';
import { Agent, request, type RequestOptions } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import { Cookies, parseOutcome, type Browsing, type Request, type ClientOutcome } from '../journeys/browsing.ts';

const TIMEOUT_MS = 8_000;

type Answer = { readonly status: number; readonly cookies: readonly string[]; readonly body: unknown };

const agent = new Agent({ keepAlive: true });

/** Sends a request without `fetch`, which takes far more processor time from the shop. */
const send = (url: URL, options: RequestOptions, body: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      json(answer).then((read) => resolve({ status, cookies: headers['set-cookie'] ?? [], body: read }), reject);
    });
    asked.on('error', reject).on('timeout', () => asked.destroy(new Error('No answer')));
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** A browser with cookies that uses any of the shop's processes. */
export class Visitor implements Browsing {
  readonly #cookies = new Cookies();

  constructor(
    readonly urls: () => readonly string[],
    readonly oneOf: (urls: readonly [string, ...string[]]) => string,
    readonly count: (status: string) => void = () => undefined,
    /** After this many ms a request is aborted and sent again. */
    readonly timeout = TIMEOUT_MS,
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
      const url = new URL(path, this.oneOf([first, ...others]));
      const answer = await send(url, { method, headers, agent, timeout: this.timeout }, body);
      this.#cookies.keep(answer.cookies);
      const { code } = answer.body as { readonly code?: string };
      this.count(code === undefined ? String(answer.status) : `${answer.status} ${code}`);
      return parseOutcome(answer.status, answer.body);
    } catch {
      this.count('no answer');
      return 'unknown';
    }
  }
}
