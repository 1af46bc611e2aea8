import { browser, type Browser } from '../accounts/testing/browser.ts';

/** For `openTestShop({ people: { admin: ADMIN } })`. */
export const ADMIN = { email: 'admin@ruhani.example', password: 'the keys of the atelier' };

/** A browser in which the admin is signed in. */
export const asAdmin = async ({ url }: { readonly url: string }): Promise<Browser> => {
  const at = browser(url);
  const { status } = await at.post('/api/user/login', ADMIN);
  if (status !== 200) throw new Error(`The admin could not sign in: ${status}`);
  return at;
};
