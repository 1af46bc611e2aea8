import { create, isAxiosError } from 'axios';
import { announceUnauthorised } from './unauthorised.ts';

const FETCH_USER = '/user/fetch-user';

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** No time-out: a slow line must not turn a command that succeeded into a failure. */
export const httpClient = create({ baseURL: '/api', withCredentials: true });

// Every command starts a trace (W3C Trace Context), which a server with tracing switched on records.
httpClient.interceptors.request.use((config) => {
  if (config.method !== 'get') config.headers.set('traceparent', `00-${hex(16)}-${hex(8)}-01`);
  return config;
});

// Not of the call that is made after such a refusal.
httpClient.interceptors.response.use(undefined, (error: unknown) => {
  if (isAxiosError(error) && error.response?.status === 401 && error.response.config.url !== FETCH_USER) announceUnauthorised();
  throw error;
});
