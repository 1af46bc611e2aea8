export type Problems = Readonly<Record<string, string>>;

/** The answer to a refused request. */
export type RefusalAnswer = {
  readonly status: number;
  readonly message: string;
  readonly code: string;
  /** Messages by field name. */
  readonly errors?: Problems | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further fields of the JSON answer, beside message and code. */
  readonly details?: object | undefined;
};

/** The API says no, before the domain is asked. Thrown anywhere behind `errors`, which makes it an answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(readonly answer: RefusalAnswer) {
    super(answer.message);
  }
}

export const invalid = (message: string, errors?: Problems): Refusal =>
  new Refusal({ status: 400, code: 'invalid_request', message, errors });
export const notFound = (message = 'Not found'): Refusal => new Refusal({ status: 404, code: 'not_found', message });
export const unavailable = (message: string, retryAfter = 2): Refusal =>
  new Refusal({ status: 503, code: 'unavailable', message, headers: { 'Retry-After': String(retryAfter) } });
