import { create } from 'axios';

/** Every call of the shop: base `/api`, with the session's cookies, and (as the specification has it) no time-out. */
export const httpClient = create({ baseURL: '/api', withCredentials: true });
