import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** Both calls return the server's message. */
const noticesApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    askForNotice: build.mutation<string, { readonly productId: string; readonly email: string }>({
      query: ({ productId, email }) => ({
        url: `/product/${encodeURIComponent(productId)}/notify`,
        method: 'POST',
        data: { email },
        fallback: 'Your address could not be noted. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
    endNotices: build.mutation<string, string>({
      query: (token) => ({
        url: '/notices/end',
        method: 'POST',
        data: { token },
        fallback: 'The notices could not be ended. Please try again.',
      }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useAskForNoticeMutation, useEndNoticesMutation } = noticesApi;
