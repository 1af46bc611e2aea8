import { messageIn } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** With the token of the mailed link. */
export type NewPassword = { readonly token: string; readonly password: string; readonly confirm_password: string };

/** Both return the server's message. */
export const passwordApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The answer is the same whether or not the account exists. */
    askForResetLink: build.mutation<string, string>({
      query: (email) => ({ url: '/user/forgot-password', method: 'POST', data: { email }, fallback: 'The link could not be sent' }),
      transformResponse: messageIn,
    }),
    /** Every session of the account ends. */
    resetPassword: build.mutation<string, NewPassword>({
      query: (data) => ({ url: '/user/reset-password', method: 'POST', data, fallback: 'The password could not be set' }),
      transformResponse: messageIn,
    }),
  }),
});

export const { useAskForResetLinkMutation, useResetPasswordMutation } = passwordApi;
