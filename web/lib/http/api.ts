import type { AxiosError, AxiosInstance } from 'axios';

export type Api = Pick<AxiosInstance, 'request' | 'get' | 'post' | 'put' | 'delete'>;

/** axios is loaded with the first call, because the first page gets its data inside the document. */
const client = async (): Promise<Api> => (await import('./http-client.ts')).httpClient;

/** Loads axios before the first call. It rejects if axios cannot be loaded. */
export const preloadClient = async (): Promise<void> => void (await client());

export const api: Api = {
  request: async (config) => (await client()).request(config),
  get: async (url, config) => (await client()).get(url, config),
  post: async (url, data, config) => (await client()).post(url, data, config),
  put: async (url, data, config) => (await client()).put(url, data, config),
  delete: async (url, config) => (await client()).delete(url, config),
};

/** Checks what axios's own `isAxiosError` checks, without loading axios. */
const isAxiosError = (error: unknown): error is AxiosError =>
  typeof error === 'object' && error !== null && 'isAxiosError' in error && error.isAxiosError === true;

type ErrorBody = { readonly message?: unknown; readonly code?: unknown; readonly errors?: unknown };

/** A proxy answers with text instead of an object. */
const getErrorBody = (error: unknown): ErrorBody => {
  const body: unknown = isAxiosError(error) ? error.response?.data : undefined;
  return typeof body === 'object' && body !== null ? body : {};
};

export const UNANSWERED = 'The shop did not answer. Check your connection and try again.';
const NO_REASON = 'The shop could not do this just now. Please try again.';

/**
 * Returns the sentence to show: the server's, else `fallback`, else a general one. It says what happened, then what to do: 'The stock could
 * not be loaded. Check your connection.' or 'The rate could not be set. Please try again.' Only this file of `web` knows the shape of an axios
 * error.
 */
export const getMessage = (error: unknown, fallback?: string): string => {
  const { message } = getErrorBody(error);
  if (typeof message === 'string' && message !== '') return message;
  if (fallback !== undefined) return fallback;
  if (isAxiosError(error)) return error.response ? NO_REASON : UNANSWERED;
  // `error` was thrown by our code or stored by RTK Query.
  const { message: own = 'Something went wrong' }: Partial<Error> = Object(error);
  return own;
};

/** Returns validation errors by field name. The object is empty when the server refused for another reason. */
export const getFieldErrors = (error: unknown): Readonly<Record<string, string>> => {
  const { errors } = getErrorBody(error);
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

/** Returns the body of a refusal: its code and the data needed to go on. The object is empty when there was no response. */
export const getRefusal = (error: unknown): Readonly<Record<string, unknown>> => ({ ...getErrorBody(error) });

/** Returns the HTTP status of a failed call, or undefined when there was no response. */
export const getHttpStatus = (error: unknown): number | undefined => (isAxiosError(error) ? error.response?.status : undefined);

/** Returns the server's request id, which a shopper quotes when asking for support. */
export const getReference = (error: unknown): string | undefined => {
  const id: unknown = isAxiosError(error) ? error.response?.headers['x-request-id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** Returns after how many seconds a busy server wants to be asked again; undefined when it refused for another reason. */
export const getRetryAfter = (error: unknown): number | undefined => {
  const seconds = isAxiosError(error) ? Number(error.response?.headers['retry-after'] ?? NaN) : NaN;
  return Number.isFinite(seconds) ? seconds : undefined;
};

/** A failed call in the serialisable form that RTK Query stores. */
export type CallError = {
  readonly status: number | undefined;
  readonly message: string;
  /** The server's reason is a code such as `offer_changed`. */
  readonly code?: string | undefined;
  readonly errors?: Readonly<Record<string, string>>;
  /** The whole body of a refusal includes the data needed to go on. */
  readonly refusal?: Readonly<Record<string, unknown>>;
};

export const toCallError = (error: unknown, fallback?: string): CallError => {
  const refusal = getRefusal(error);
  const { code } = refusal;
  return {
    status: getHttpStatus(error),
    message: getMessage(error, fallback),
    ...(typeof code === 'string' && { code }),
    errors: getFieldErrors(error),
    refusal,
  };
};
