import type { LineWithoutRoom } from '#domain/cart/events.ts';
import type { Api } from '../../lib/http/api.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** The signed-in user. `isAuditor` is true for admins too, who have an auditor's rights. */
export type User = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly isAdmin: boolean;
  readonly isAuditor: boolean;
};

/** `noRoomFor` has the lines of the visitor's cart that did not fit into the user's. It is absent if all fitted. */
export type SignedIn = { readonly user: User; readonly noRoomFor?: readonly LineWithoutRoom[] };

/** Typed values by field name (auth-forms.ts). */
export type FormValues = Readonly<Record<string, string>>;

export const fetchUser = async (api: Api): Promise<User> => (await api.get<User>('/user/fetch-user')).data;

export const logOut = async (api: Api): Promise<void> => {
  await api.post('/user/logout', {});
};

const post = (path: string, data: unknown, fallback: string) => ({ url: `/user/${path}`, method: 'POST', data, fallback });

/** The calls of the sign-in screen. After a call that signs the shopper in, the caller dispatches `loggedIn`. */
export const authApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Returns the id of the new account, which is unverified until the mailed code is entered. */
    register: build.mutation<string, FormValues>({
      query: (values) => post('register', values, 'Registration failed'),
      transformResponse: ({ userId }: { readonly userId: string }) => userId,
    }),
    verifyCode: build.mutation<SignedIn, { readonly userId: string; readonly otp: string }>({
      query: (given) => post('verify-otp', given, 'OTP verification failed'),
      transformResponse: ({ noRoomFor, ...user }: User & Pick<SignedIn, 'noRoomFor'>) => ({ user, ...(noRoomFor && { noRoomFor }) }),
    }),
    resendCode: build.mutation<unknown, string>({ query: (userId) => post('resend-otp', { userId }, 'The code could not be sent') }),
    logIn: build.mutation<SignedIn, FormValues>({ query: (values) => post('login', values, 'Login failed') }),
    logInWithGoogle: build.mutation<SignedIn, string>({ query: (token) => post('google-login', { token }, 'Google login failed') }),
  }),
});
