import type { Api } from '../../lib/http/api.ts';

/** Keyed by the names of the form's fields. */
export type ContactValues = Readonly<Record<string, string>>;

/** Sends a message to the shop; answers with the server's sentence for the shopper. */
export const sendMessage = async (api: Api, values: ContactValues): Promise<string> =>
  (await api.post<{ message: string }>('/contact', values)).data.message;
