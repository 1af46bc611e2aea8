import { messageIn } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** By the token of a mailed link, or by address. */
export type UnsubscribeRequest = { readonly token: string } | { readonly email: string };

/** Both return the server's message. */
export const newsletterApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    subscribe: build.mutation<string, string>({
      query: (email) => ({ url: '/subscribe', method: 'POST', data: { email }, fallback: 'Failed to subscribe' }),
      transformResponse: messageIn,
    }),
    unsubscribe: build.mutation<string, UnsubscribeRequest>({
      query: (data) => ({ url: '/subscribe/unsubscribe', method: 'POST', data, fallback: 'Failed to unsubscribe' }),
      transformResponse: messageIn,
    }),
  }),
});

export const { useSubscribeMutation, useUnsubscribeMutation } = newsletterApi;
