import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** A request names the subscriber by the token of a mailed link, or by address. */
export type UnsubscribeRequest = { readonly token: string } | { readonly email: string };

/** Both calls return the server's message. */
export const newsletterApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    subscribe: build.mutation<string, string>({
      query: (email) => ({ url: '/subscribe', method: 'POST', data: { email }, fallback: 'Failed to subscribe' }),
      transformResponse: getMessageText,
    }),
    unsubscribe: build.mutation<string, UnsubscribeRequest>({
      query: (data) => ({ url: '/subscribe/unsubscribe', method: 'POST', data, fallback: 'Failed to unsubscribe' }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useSubscribeMutation, useUnsubscribeMutation } = newsletterApi;
