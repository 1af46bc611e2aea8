import { create, isAxiosError } from 'axios';
import { announceUnauthorised } from './unauthorised.ts';

const FETCH_USER = '/user/fetch-user';

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** There is no time-out, because a slow connection must not turn a command that succeeded into a failure. */
export const httpClient = create({ baseURL: '/api', withCredentials: true });

// Every command starts a trace (W3C Trace Context), which the server records if tracing is on.
httpClient.interceptors.request.use((config) => {
  if (config.method !== 'get') config.headers.set('traceparent', `00-${hex(16)}-${hex(8)}-01`);
  return config;
});

// A 401 makes the shop fetch the user, so a 401 to that call itself is not announced.
httpClient.interceptors.response.use(undefined, (error: unknown) => {
  if (isAxiosError(error) && error.response?.status === 401 && error.response.config.url !== FETCH_USER) announceUnauthorised();
  throw error;
});
