import type { AxiosError, AxiosInstance } from 'axios';

/** Calls of the shop, below `/api`. */
export type Api = Pick<AxiosInstance, 'request' | 'get' | 'post' | 'put' | 'delete'>;

/** axios comes with the first call, not with the first page, which is drawn from what the server sent along. */
const client = async (): Promise<Api> => (await import('./http-client.ts')).httpClient;

/** Has it fetched before it is needed. Fails as a call would. */
export const preloadClient = async (): Promise<void> => void (await client());

export const api: Api = {
  request: async (config) => (await client()).request(config),
  get: async (url, config) => (await client()).get(url, config),
  post: async (url, data, config) => (await client()).post(url, data, config),
  put: async (url, data, config) => (await client()).put(url, data, config),
  delete: async (url, config) => (await client()).delete(url, config),
};

/** As axios tells its errors from others, without axios. */
const isAxiosError = <Data>(error: unknown): error is AxiosError<Data> =>
  typeof error === 'object' && error !== null && 'isAxiosError' in error && error.isAxiosError === true;

type ErrorBody = { readonly message?: unknown; readonly code?: unknown; readonly errors?: unknown };

const bodyOf = (error: unknown): ErrorBody => (isAxiosError<ErrorBody>(error) ? (error.response?.data ?? {}) : {});

/**
 * What to tell the shopper: the server's sentence, else `fallback`, else the error's own text.
 * With the others here the one place in `web` that knows the shape of an axios error.
 */
export const messageOf = (error: unknown, fallback?: string): string => {
  const { message } = bodyOf(error);
  if (typeof message === 'string' && message !== '') return message;
  return fallback ?? (error instanceof Error ? error.message : 'Something went wrong');
};

/** What is wrong with which field, by the field's name; nothing when the refusal was about something else. */
export const fieldErrorsOf = (error: unknown): Readonly<Record<string, string>> => {
  const { errors } = bodyOf(error);
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

/** What the server said beside its sentence: why, as a code, and what is needed to go on. Empty when no answer came at all. */
export const refusalOf = (error: unknown): Readonly<Record<string, unknown>> => ({ ...bodyOf(error) });

/** The HTTP status of a refused call; undefined when no answer came at all. */
export const statusOf = (error: unknown): number | undefined => (isAxiosError(error) ? error.response?.status : undefined);

/** The id under which the server logged the request, for a shopper who writes to us. */
export const referenceOf = (error: unknown): string | undefined => {
  const id: unknown = isAxiosError(error) ? error.response?.headers['x-request-id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};
