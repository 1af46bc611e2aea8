import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** Typed values by field name. */
export type ContactValues = Readonly<Record<string, string>>;

export const contactApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Returns the server's message. */
    sendMessage: build.mutation<string, ContactValues>({
      query: (data) => ({ url: '/contact', method: 'POST', data, isOnce: true, fallback: 'Something went wrong' }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useSendMessageMutation } = contactApi;
