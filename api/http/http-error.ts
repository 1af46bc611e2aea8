export type Problems = Readonly<Record<string, string>>;

export type HttpErrorAnswer = {
  readonly status: number;
  readonly message: string;
  readonly code: string;
  /** The errors are messages by field name. */
  readonly errors?: Problems | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** These fields are added to the JSON of the response. */
  readonly details?: object | undefined;
};

/** The middleware `errors` turns it into a response. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(readonly answer: HttpErrorAnswer) {
    super(answer.message);
  }
}

export const invalid = (message: string, errors?: Problems): HttpError =>
  new HttpError({ status: 400, code: 'invalid_request', message, errors });
export const notFound = (message: string): HttpError => new HttpError({ status: 404, code: 'not_found', message });
export const unavailable = (message: string, retryAfter = 2): HttpError =>
  new HttpError({ status: 503, code: 'unavailable', message, headers: { 'Retry-After': String(retryAfter) } });
