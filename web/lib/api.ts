import { create, isAxiosError } from 'axios';

/** Every call of the shop: base `/api`, with the session's cookies, and (as the specification has it) no time-out. */
export const api = create({ baseURL: '/api', withCredentials: true });

type ErrorBody = { readonly message?: unknown; readonly code?: unknown; readonly errors?: unknown };

const bodyOf = (error: unknown): ErrorBody => (isAxiosError<ErrorBody>(error) ? (error.response?.data ?? {}) : {});

/**
 * What to tell the shopper: the server's sentence, else `fallback`, else the error's own text.
 * With `referenceOf` and `statusOf` the one place in `web` that knows the shape of an axios error.
 */
export const messageOf = (error: unknown, fallback?: string): string => {
  const { message } = bodyOf(error);
  if (typeof message === 'string' && message !== '') return message;
  return fallback ?? (error instanceof Error ? error.message : 'Something went wrong');
};

/** The HTTP status of a refused call; undefined when no answer came at all. */
export const statusOf = (error: unknown): number | undefined => (isAxiosError(error) ? error.response?.status : undefined);

/** The id under which the server logged the request, for a shopper who writes to us. */
export const referenceOf = (error: unknown): string | undefined => {
  const id: unknown = isAxiosError(error) ? error.response?.headers['x-request-id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};
