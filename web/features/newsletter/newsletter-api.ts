import type { Api } from '../../lib/http/api.ts';

/** All answer with the server's sentence for the shopper. */
type Answer = { readonly message: string };

export const subscribe = async (api: Api, email: string): Promise<string> => (await api.post<Answer>('/subscribe', { email })).data.message;

/** Who is to get no more letters: the reader of a mailed link, or of an address. */
export type UnsubscribeRequest = { readonly token: string } | { readonly email: string };

export const unsubscribe = async (api: Api, who: UnsubscribeRequest): Promise<string> =>
  (await api.post<Answer>('/subscribe/unsubscribe', who)).data.message;
