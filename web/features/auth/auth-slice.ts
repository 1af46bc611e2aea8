import { createAction, createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { authApi, type SignedIn, type User } from './auth-api.ts';

type AuthState = {
  readonly user: User | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly isAuthenticated: boolean;
};
const initialState: AuthState = { user: null, loading: false, error: null, isAuthenticated: false };

const requested = (state: AuthState): AuthState => ({ ...state, loading: true, error: null });
const ended = (state: AuthState): AuthState => ({ ...state, loading: false });
const failed = (state: AuthState, message: string): AuthState => ({ ...state, loading: false, error: message });
const entered = (user: User): AuthState => ({ user, loading: false, error: null, isAuthenticated: true });

/** Carries the email address of a verified account that ticked the newsletter box. `app` passes it to the newsletter feature. */
export const newsletterOptedIn = createAction<string>('auth/newsletterOptedIn');

const { register, verifyCode, resendCode, logIn, logInWithCode, logInWithGoogle } = authApi.endpoints;
const calls = [register, verifyCode, resendCode, logIn, logInWithCode, logInWithGoogle] as const;
const entries = [verifyCode, logIn, logInWithGoogle] as const;

const slice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    userFetchRequested: requested,
    userFetched: (_, { payload }: PayloadAction<User>) => entered(payload),
    userFetchFailed: (_, { payload }: PayloadAction<string>): AuthState => ({ ...initialState, error: payload }),
    /** The server gave no usable answer. A signed-in user stays signed in; otherwise the user stays unknown and is fetched again. */
    userUnanswered: (state, { payload }: PayloadAction<string>): AuthState => ({ ...state, loading: state.user === null, error: payload }),

    /** `noRoomFor` has the lines of the visitor's cart that did not fit; `app` passes them to the cart feature. */
    loggedIn: {
      prepare: (user: User, noRoomFor: SignedIn['noRoomFor'] = []) => ({ payload: user, meta: { noRoomFor } }),
      reducer: (_, { payload }: PayloadAction<User, string, { readonly noRoomFor: unknown }>) => entered(payload),
    },

    logoutRequested: requested,
    /** The sign-in is too old for a request. The page navigates to a new sign-in. */
    newSignInRequested: requested,
    loggedOut: () => initialState,
    logoutFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    errorDismissed: (state): AuthState => ({ ...state, error: null }),
  },
  // A call that signs the shopper in ends with `loggedIn`, unless the code of a second factor is required.
  extraReducers: (builder) =>
    builder
      .addMatcher(isAnyOf(...calls.map(({ matchPending }) => matchPending)), requested)
      .addMatcher(isAnyOf(register.matchFulfilled, resendCode.matchFulfilled), ended)
      .addMatcher(isAnyOf(...entries.map(({ matchFulfilled }) => matchFulfilled)), (state, { payload }) =>
        'totpRequired' in payload ? ended(state) : state,
      )
      .addMatcher(isAnyOf(...calls.map(({ matchRejected }) => matchRejected)), (state, { payload }) =>
        failed(state, payload?.message ?? ''),
      ),
  selectors: {
    selectAuth: (state) => state,
    /** Null for a visitor, and until the server has answered. */
    selectUser: (state) => state.user,
    selectIsUnknown: ({ user, loading }) => user === null && loading,
  },
});

export const { userFetchRequested, userFetched, userFetchFailed, loggedIn, loggedOut } = slice.actions;
export const { logoutRequested, logoutFailed, newSignInRequested, errorDismissed } = slice.actions;
export const { selectAuth, selectIsUnknown, selectUser } = slice.selectors;
export const authSlice = slice;
