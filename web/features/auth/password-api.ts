import { api } from '../../lib/http/api.ts';

/** Both answer with the server's sentence for the shopper. */
type Answer = { readonly message: string };

/** Has a link mailed to set a new password. The answer is the same whether or not there is such an account. */
export const askForResetLink = async (email: string): Promise<string> =>
  (await api.post<Answer>('/user/forgot-password', { email })).data.message;

export type NewPassword = { readonly token: string; readonly password: string; readonly confirm_password: string };

/** Sets the password with the token of a mailed link. Every session of the account ends with it. */
export const resetPassword = async (values: NewPassword): Promise<string> =>
  (await api.post<Answer>('/user/reset-password', values)).data.message;
