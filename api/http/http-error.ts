export type Problems = Readonly<Record<string, string>>;

export type HttpErrorAnswer = {
  readonly status: number;
  readonly message: string;
  readonly code: string;
  /** By field name. */
  readonly errors?: Problems | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Added to the JSON answer. */
  readonly details?: object | undefined;
};

/** Answered by `errors`. */
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
