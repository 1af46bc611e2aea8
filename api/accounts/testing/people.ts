import type { SealedRows } from '../../event-store/encryption/sealed-rows.ts';
import { emailAddress } from '../../platform/email-address.ts';
import type { Answer, Browser } from './browser.ts';
import type { AccountsShop } from './accounts-shop.ts';

export const PASSWORD = 'rose water at dusk';

export const alice = {
  name: 'Alice',
  email: 'alice@example.com',
  phone: '+91 98765 43210',
  password: PASSWORD,
  confirm_password: PASSWORD,
};
export const bob = { ...alice, name: 'Bob', email: 'bob@example.com' };

type Person = typeof alice;

export const getUserId = ({ body }: Answer): string => (body as { userId: string }).userId;

/** Signs up; afterwards the browser is signed in. */
export const signUp = async (shop: Pick<AccountsShop, 'codeFor'>, at: Browser, who: Person = alice): Promise<string> => {
  const registered = await at.post('/api/user/register', who);
  if (registered.status !== 201) throw new Error(`${who.email} could not register: ${JSON.stringify(registered.body)}`);
  const userId = getUserId(registered);
  const verified = await at.post('/api/user/verify-otp', { userId, otp: await shop.codeFor(who.email) });
  if (verified.status !== 200) throw new Error(`${who.name} could not sign up: ${JSON.stringify(verified.body)}`);
  return userId;
};

export const logIn = (at: Browser, who: Pick<Person, 'email' | 'password'> = alice, from?: string): Promise<Answer> =>
  at.post('/api/user/login', { email: who.email, password: who.password }, from === undefined ? {} : { from });

/** Returns the hash by which the rows of this address are found. */
export const hashOf = ({ sealed }: { readonly sealed: Pick<SealedRows, 'hashOf'> }, text: string): Promise<Buffer> => {
  const address = emailAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return sealed.hashOf(address);
};
