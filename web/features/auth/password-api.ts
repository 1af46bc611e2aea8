import { api } from '../../lib/http/api.ts';

/** Both return the server's message. */
type Answer = { readonly message: string };

/** The answer is the same whether or not the account exists. */
export const askForResetLink = async (email: string): Promise<string> =>
  (await api.post<Answer>('/user/forgot-password', { email })).data.message;

export type NewPassword = { readonly token: string; readonly password: string; readonly confirm_password: string };

/** `values` contain the token of the mailed link. Every session of the account ends. */
export const resetPassword = async (values: NewPassword): Promise<string> =>
  (await api.post<Answer>('/user/reset-password', values)).data.message;
