import { browser, type Browser } from '../accounts/testing/browser.ts';

/** Pass this admin to `openTestShop({ people: { admin: ADMIN } })`. */
export const ADMIN = { email: 'admin@ruhani.example', password: 'the keys of the atelier' };

export const asAdmin = async ({ url }: { readonly url: string }): Promise<Browser> => {
  const at = browser(url);
  const { status } = await at.post('/api/user/login', ADMIN);
  if (status !== 200) throw new Error(`The admin could not sign in: ${status}`);
  return at;
};

/** Returns a `Cookie` header, for calls whose body is not JSON or whose response is streamed. */
export const getCookieHeader = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
