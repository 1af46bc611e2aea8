import type { Api } from '../../lib/http/api.ts';

/** By field name. */
export type ContactValues = Readonly<Record<string, string>>;

/** Returns the server's message. */
export const sendMessage = async (api: Api, values: ContactValues): Promise<string> =>
  (await api.post<{ message: string }>('/contact', values)).data.message;
