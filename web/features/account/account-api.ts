import { messageIn } from '../../lib/http/base-query.ts';
import { shopApi } from '../../lib/http/shop-api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** The same name as in the server's header. */
const FILE = 'ruhani-my-data.json';

/**
 * Both return the sentence to show. 403 `sign_in_again`: the sign-in is more than 15 minutes old; an erasure needs a newer one only where the
 * account has no password.
 */
const accountApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Only the file has the data: they do not enter the store. */
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
      transformResponse: messageIn,
    }),
  }),
});

export const { useDownloadDataMutation, useEraseAccountMutation } = accountApi;
