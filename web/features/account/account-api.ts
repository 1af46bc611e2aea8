import { api } from '../../lib/http/api.ts';
import { saveFile } from '../../lib/save-file.ts';

/** The same name as in the server's header. */
const FILE = 'ruhani-my-data.json';

/** The shopper's data. Refused with 403 `sign_in_again` when the sign-in is more than 15 minutes old. */
const fetchData = async (): Promise<unknown> => (await api.get<unknown>('/user/export')).data;

/** Downloads the shopper's data; returns the text to show. */
export const downloadData = async (): Promise<string> => {
  saveFile(FILE, 'application/json', [JSON.stringify(await fetchData(), null, 2)]);
  return `Your data are on their way to your downloads, as ${FILE}.`;
};

/** Erases the account; returns the server's message. */
export const eraseAccount = async (password: string): Promise<string> =>
  (await api.post<{ message: string }>('/user/erase', { password })).data.message;
