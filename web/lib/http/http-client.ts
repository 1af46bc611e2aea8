import { create } from 'axios';

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Every call of the shop: base `/api`, with the session's cookies, and (as the specification has it) no time-out. */
export const httpClient = create({ baseURL: '/api', withCredentials: true });

// What somebody did begins a trace (W3C Trace Context), by which a shop that keeps traces shows what all came of it.
httpClient.interceptors.request.use((config) => {
  if (config.method !== 'get') config.headers.set('traceparent', `00-${hex(16)}-${hex(8)}-01`);
  return config;
});
