import { api } from '../../lib/http/api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** As the server names it too. */
const FILE = 'ruhani-my-data.json';

/** All that the shop knows of who is signed in. Refused, 403 `sign_in_again`, when the sign-in is longer ago than 15 minutes. */
const fetchData = async (): Promise<unknown> => (await api.get<unknown>('/user/export')).data;

/** Puts a copy of the shopper's data among the browser's downloads; answers with where to look for it. */
export const downloadData = async (): Promise<string> => {
  saveFile(FILE, 'application/json', [JSON.stringify(await fetchData(), null, 2)]);
  return `Your data are on their way to your downloads, as ${FILE}.`;
};

/** Erases the account; answers with the server's sentence for the shopper. */
export const eraseAccount = async (password: string): Promise<string> =>
  (await api.post<{ message: string }>('/user/erase', { password })).data.message;
