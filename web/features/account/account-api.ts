import { isUnderWay } from '#domain/order/rules.ts';
import type { OrderView } from '#domain/order/view.ts';
import { getMessageText } from '../../lib/http/base-query.ts';
import { nextCursor } from '../../lib/http/next-cursor.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** The server's header gives the file the same name. */
const FILE = 'ruhani-my-data.json';

/** The server gives at most so many orders at once. */
const PAGE = 200;

/**
 * Both mutations return the message to show. They fail with 403 `sign_in_again` when the sign-in is more than 15 minutes old; an erasure fails
 * so only if the account has no password.
 */
const accountApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** The data are saved to a file only and never enter the store. */
    downloadData: build.mutation<string, void>({
      queryFn: async (_, _store, _extra, baseQuery) => {
        const { data, error } = await baseQuery({ url: '/user/export', fallback: 'Your data could not be downloaded' });
        if (error) return { error };
        saveFile(FILE, 'application/json', [JSON.stringify(data, null, 2)]);
        return { data: `Your data are on their way to your downloads, as ${FILE}.` };
      },
    }),
    /** Returns the shopper's orders that are neither delivered nor cancelled, newest first. They are not kept. */
    openOrders: build.query<readonly OrderView[], void>({
      keepUnusedDataFor: 0,
      queryFn: async (_, _store, _extra, baseQuery) => {
        const open: OrderView[] = [];
        for (let cursor: string | undefined; ;) {
          const params = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
          const call = { url: '/order/get-AllOrders', params, fallback: 'Your orders could not be looked through' };
          const { data, error, meta } = await baseQuery(call);
          if (error) return { error };
          open.push(...(data as { readonly orders: readonly OrderView[] }).orders.filter(({ status }) => isUnderWay(status)));
          cursor = nextCursor(meta?.link);
          if (cursor === undefined) return { data: open };
        }
      },
    }),
    eraseAccount: build.mutation<string, string>({
      query: (password) => ({ url: '/user/erase', method: 'POST', data: { password }, fallback: 'Your account could not be erased' }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useDownloadDataMutation, useEraseAccountMutation, useOpenOrdersQuery } = accountApi;
