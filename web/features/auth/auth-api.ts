import type { StaffRole } from '#domain/staff/duties.ts';
import type { LineWithoutRoom } from '#domain/cart/events.ts';
import type { Api } from '../../lib/http/api.ts';
import { shopApi } from '../../lib/http/shop-api.ts';

/** The signed-in user. `isAdmin` is true with any role but `auditor`, `isAuditor` for auditors and owners. */
export type User = {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly isAdmin: boolean;
  readonly isAuditor: boolean;
  readonly roles: readonly StaffRole[];
  /** Signing in takes the code of a second factor too. */
  readonly totp: boolean;
};

/** `noRoomFor` has the lines of the visitor's cart that did not fit into the user's. It is absent if all fitted. */
export type SignedIn = { readonly user: User; readonly noRoomFor?: readonly LineWithoutRoom[] };

/** The password was right, and the code of the second factor is still to be entered. */
export type CodeRequired = { readonly totpRequired: true; readonly loginToken: string };

/** Typed values by field name (auth-forms.ts). */
export type FormValues = Readonly<Record<string, string>>;

export const fetchUser = async (api: Api): Promise<User> => (await api.get<User>('/user/fetch-user')).data;

export const logOut = async (api: Api): Promise<void> => {
  await api.post('/user/logout', {});
};

const post = (path: string, data: unknown, fallback: string) => ({ url: `/user/${path}`, method: 'POST', data, fallback });

/** The calls of the sign-in screen. After a call that signs the shopper in, the caller dispatches `loggedIn`. */
export const authApi = shopApi.enhanceEndpoints({ addTagTypes: ['Account', 'Sessions', 'Wishlist'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Returns the id of the new account, which is unverified until the mailed code is entered. */
    register: build.mutation<string, FormValues>({
      query: (values) => post('register', values, 'Registration failed'),
      transformResponse: ({ userId }: { readonly userId: string }) => userId,
    }),
    verifyCode: build.mutation<SignedIn | CodeRequired, { readonly userId: string; readonly otp: string }>({
      query: (given) => post('verify-otp', given, 'OTP verification failed'),
      transformResponse: (answer: (User & Pick<SignedIn, 'noRoomFor'>) | CodeRequired) => {
        if ('totpRequired' in answer) return answer;
        const { noRoomFor, ...user } = answer;
        return { user, ...(noRoomFor && { noRoomFor }) };
      },
      invalidatesTags: ['Wishlist'],
    }),
    resendCode: build.mutation<unknown, string>({
      query: (userId) => post('resend-otp', { userId }, 'The code could not be sent. Please try again.'),
    }),
    logIn: build.mutation<SignedIn | CodeRequired, FormValues>({
      query: (values) => post('login', values, 'Login failed'),
      invalidatesTags: ['Wishlist'],
    }),
    /** Signs in with the code of a second factor, or a recovery code. */
    logInWithCode: build.mutation<SignedIn, { readonly loginToken: string; readonly code: string }>({
      query: (given) => post('login-totp', given, 'Login failed'),
      invalidatesTags: ['Wishlist'],
    }),
    /** With `join` it joins the account that is signed in, and enters no other. */
    logInWithGoogle: build.mutation<SignedIn | CodeRequired, { readonly token: string; readonly join?: true }>({
      query: (given) => post('google-login', given, 'Google login failed'),
      invalidatesTags: ['Account', 'Sessions', 'Wishlist'],
    }),
  }),
});
