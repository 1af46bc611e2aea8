import { getMessageText } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** The server's header gives the file the same name. */
const FILE = 'ruhani-my-data.json';

/**
 * Both calls return the message to show. They fail with 403 `sign_in_again` when the sign-in is more than 15 minutes old; an erasure fails
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
    eraseAccount: build.mutation<string, string>({
      query: (password) => ({ url: '/user/erase', method: 'POST', data: { password }, fallback: 'Your account could not be erased' }),
      transformResponse: getMessageText,
    }),
  }),
});

export const { useDownloadDataMutation, useEraseAccountMutation } = accountApi;
