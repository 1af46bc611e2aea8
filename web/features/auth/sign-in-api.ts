import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import type { FormValues, SignedIn } from './auth-api.ts';

export type NewPassword = { readonly token: string; readonly password: string; readonly confirm_password: string };

/** The shop's Google client id, or null without one, and the nonce that ties Google's token to this browser. */
type SignInOptions = { readonly googleClientId: null } | { readonly googleClientId: string; readonly googleNonce: string };

/** The calls of the sign-in pages that `authApi` does not have. */
const signInApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    signInOptions: build.query<SignInOptions, void>({ query: () => ({ url: '/user/sign-in-options' }) }),
    /** Returns the server's message, which is the same whether or not the account exists. */
    askForResetLink: build.mutation<string, string>({
      query: (email) => ({
        url: '/user/forgot-password',
        method: 'POST',
        data: { email },
        fallback: 'The link could not be sent. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
    /** A signed-in account sends the token alone. Afterwards the caller dispatches `loggedIn`. */
    acceptInvitation: build.mutation<SignedIn, FormValues>({
      query: (data) => ({
        url: '/user/invitation',
        method: 'POST',
        data,
        fallback: 'The invitation could not be accepted. Please try again.',
      }),
    }),
    /** Ends every session of the account and returns the server's message. */
    resetPassword: build.mutation<string, NewPassword>({
      query: (data) => ({
        url: '/user/reset-password',
        method: 'POST',
        data,
        fallback: 'The password could not be set. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useSignInOptionsQuery, useAskForResetLinkMutation, useResetPasswordMutation, useAcceptInvitationMutation } = signInApi;
