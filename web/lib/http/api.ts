import type { AxiosError, AxiosInstance } from 'axios';

/** HTTP calls below `/api`. */
export type Api = Pick<AxiosInstance, 'request' | 'get' | 'post' | 'put' | 'delete'>;

/** axios is loaded with the first call, not with the first page, whose data come in the document. */
const client = async (): Promise<Api> => (await import('./http-client.ts')).httpClient;

/** Loads axios ahead of the first call. Rejects as a call would. */
export const preloadClient = async (): Promise<void> => void (await client());

export const api: Api = {
  request: async (config) => (await client()).request(config),
  get: async (url, config) => (await client()).get(url, config),
  post: async (url, data, config) => (await client()).post(url, data, config),
  put: async (url, data, config) => (await client()).put(url, data, config),
  delete: async (url, config) => (await client()).delete(url, config),
};

/** The check that axios itself makes, without loading axios. */
const isAxiosError = (error: unknown): error is AxiosError =>
  typeof error === 'object' && error !== null && 'isAxiosError' in error && error.isAxiosError === true;

type ErrorBody = { readonly message?: unknown; readonly code?: unknown; readonly errors?: unknown };

/** A proxy's error page is text, not an object. */
const bodyOf = (error: unknown): ErrorBody => {
  const body: unknown = isAxiosError(error) ? error.response?.data : undefined;
  return typeof body === 'object' && body !== null ? body : {};
};

const NO_ANSWER = 'The shop did not answer. Check your connection and try again.';
const NO_REASON = 'The shop could not do this just now. Please try again.';

/**
 * The sentence to show: the server's, else `fallback`, else one for calls without an answer or a reason. This file is the only one in `web` that knows the
 * shape of an axios error.
 */
export const messageOf = (error: unknown, fallback?: string): string => {
  const { message } = bodyOf(error);
  if (typeof message === 'string' && message !== '') return message;
  if (fallback !== undefined) return fallback;
  if (isAxiosError(error)) return error.response ? NO_REASON : NO_ANSWER;
  // An error that was thrown, or one that RTK Query has kept.
  const { message: own = 'Something went wrong' }: Partial<Error> = Object(error);
  return own;
};

/** Validation errors by field name; empty when the refusal had another reason. */
export const fieldErrorsOf = (error: unknown): Readonly<Record<string, string>> => {
  const { errors } = bodyOf(error);
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

/** The body of a refusal: its code, and what is needed to go on. Empty when there was no response. */
export const refusalOf = (error: unknown): Readonly<Record<string, unknown>> => ({ ...bodyOf(error) });

/** The HTTP status of a failed call; undefined when there was no response. */
export const httpStatusOf = (error: unknown): number | undefined => (isAxiosError(error) ? error.response?.status : undefined);

/** The server's request id, for a shopper who asks for support. */
export const referenceOf = (error: unknown): string | undefined => {
  const id: unknown = isAxiosError(error) ? error.response?.headers['x-request-id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** A failed call as RTK Query keeps it: serialisable. */
export type CallError = {
  /** Undefined when there was no response. */
  readonly status: number | undefined;
  readonly message: string;
  /** The server's reason, such as `offer_changed`. */
  readonly code?: string | undefined;
  /** Sentences by field name. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The whole body of a refusal, with what is needed to go on. */
  readonly refusal?: Readonly<Record<string, unknown>>;
};

export const callErrorOf = (error: unknown, fallback?: string): CallError => {
  const refusal = refusalOf(error);
  const { code } = refusal;
  return {
    status: httpStatusOf(error),
    message: messageOf(error, fallback),
    ...(typeof code === 'string' && { code }),
    errors: fieldErrorsOf(error),
    refusal,
  };
};
