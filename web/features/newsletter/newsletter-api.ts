import type { Api } from '../../lib/http/api.ts';

/** Both return the server's message. */
type Answer = { readonly message: string };

export const subscribe = async (api: Api, email: string): Promise<string> => (await api.post<Answer>('/subscribe', { email })).data.message;

/** By the token of a mailed link, or by address. */
export type UnsubscribeRequest = { readonly token: string } | { readonly email: string };

export const unsubscribe = async (api: Api, who: UnsubscribeRequest): Promise<string> =>
  (await api.post<Answer>('/subscribe/unsubscribe', who)).data.message;
