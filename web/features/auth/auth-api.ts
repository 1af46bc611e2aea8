import type { Api } from '../../lib/http/api.ts';

/** The signed-in user. Admins have an auditor's rights, so for them `isAuditor` is true. */
export type User = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly isAdmin: boolean;
  readonly isAuditor: boolean;
};

/** By the field names of the form (auth-forms.ts). */
export type FormValues = Readonly<Record<string, string>>;

/** The shop's client id with Google, null when it has none, and the nonce that ties Google's token to this browser. */
export type SignInOptions = { readonly googleClientId: null } | { readonly googleClientId: string; readonly googleNonce: string };

export const fetchUser = async (api: Api): Promise<User> => (await api.get<User>('/user/fetch-user')).data;

/** Returns the id of the new account, which is unverified until the mailed code is entered. */
export const register = async (api: Api, values: FormValues): Promise<string> =>
  (await api.post<{ userId: string }>('/user/register', values)).data.userId;

export const verifyCode = async (api: Api, userId: string, otp: string): Promise<User> =>
  (await api.post<User>('/user/verify-otp', { userId, otp })).data;

export const resendCode = async (api: Api, userId: string): Promise<void> => {
  await api.post('/user/resend-otp', { userId });
};

export const logIn = async (api: Api, values: FormValues): Promise<User> =>
  (await api.post<{ user: User }>('/user/login', values)).data.user;

export const logInWithGoogle = async (api: Api, token: string): Promise<User> =>
  (await api.post<{ user: User }>('/user/google-login', { token })).data.user;

export const logOut = async (api: Api): Promise<void> => {
  await api.post('/user/logout', {});
};

export const signInOptions = async (api: Api): Promise<SignInOptions> => (await api.get<SignInOptions>('/user/sign-in-options')).data;
