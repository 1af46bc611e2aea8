import { createAction, createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { FormValues, User } from './auth-api.ts';

type AuthState = {
  readonly user: User | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly isAuthenticated: boolean;
  /** The server has not said who is signed in: nobody is taken for a visitor meanwhile. */
  readonly unanswered?: true;
};
const initialState: AuthState = { user: null, loading: false, error: null, isAuthenticated: false };

/** The message for the shopper, and validation errors by field. */
export type Failure = { readonly message: string; readonly fields?: Readonly<Record<string, string>> };

/** An account whose mailed code has not been entered yet. */
export type Unverified = { readonly userId: string; readonly email: string };

const requested = (state: AuthState): AuthState => ({ ...state, loading: true, error: null });
const ended = (state: AuthState): AuthState => ({ ...state, loading: false });
/** Only marks the request as pending; the saga reads the payload. */
const requestedWith = <Payload>(): CaseReducer<AuthState, PayloadAction<Payload>> => requested;
const endedWith = <Payload>(): CaseReducer<AuthState, PayloadAction<Payload>> => ended;
const failed = (state: AuthState, message: string): AuthState => ({ ...state, loading: false, error: message });
const entered = (user: User): AuthState => ({ user, loading: false, error: null, isAuthenticated: true });

/** The email address of a verified account that ticked the newsletter box. `app` passes it to the newsletter feature. */
export const newsletterOptedIn = createAction<string>('auth/lettersWished');

const slice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    userFetchRequested: requested,
    userFetched: (_, { payload }: PayloadAction<User>) => entered(payload),
    userFetchFailed: (_, { payload }: PayloadAction<string>): AuthState => ({ ...initialState, error: payload }),
    /** No answer, or an outage: whoever is signed in stays so. */
    userUnanswered: (state, { payload }: PayloadAction<string>): AuthState => ({ ...failed(state, payload), unanswered: true }),

    registerRequested: requestedWith<FormValues>(),
    registered: endedWith<Unverified>(),
    registerFailed: (state, { payload }: PayloadAction<Failure>) => failed(state, payload.message),

    verifyRequested: requestedWith<{ readonly userId: string; readonly otp: string }>(),
    verified: (_, { payload }: PayloadAction<User>) => entered(payload),
    verifyFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    resendRequested: requestedWith<string>(),
    resent: ended,
    resendFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    loginRequested: requestedWith<FormValues>(),
    loggedIn: (_, { payload }: PayloadAction<User>) => entered(payload),
    /** The password was right, but the account is not verified yet. */
    loginFoundUnverified: endedWith<Unverified>(),
    loginFailed: (state, { payload }: PayloadAction<Failure>) => failed(state, payload.message),

    googleLoginRequested: requestedWith<string>(),
    googleLoggedIn: (_, { payload }: PayloadAction<User>) => entered(payload),
    googleLoginFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    logoutRequested: requested,
    loggedOut: () => initialState,
    logoutFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    /** Another form is shown: the last one's error is cleared. */
    formChanged: (state): AuthState => ({ ...state, error: null }),
    /** The outcome came after its form was replaced, so only the loading flag is cleared. */
    answeredLate: ended,
  },
  selectors: {
    selectAuth: (state) => state,
    /** Null for a visitor, and until the server has answered. */
    selectUser: (state) => state.user,
    /** Whether it is yet to be found out who is signed in. */
    selectIsUnknown: ({ user, loading, unanswered }) => user === null && (loading || unanswered === true),
  },
});

export const {
  userFetchRequested,
  userFetched,
  userFetchFailed,
  userUnanswered,
  registerRequested,
  registered,
  registerFailed,
  verifyRequested,
  verified,
  verifyFailed,
  resendRequested,
  resent,
  resendFailed,
  loginRequested,
  loggedIn,
  loginFoundUnverified,
  loginFailed,
  googleLoginRequested,
  googleLoggedIn,
  googleLoginFailed,
  logoutRequested,
  loggedOut,
  logoutFailed,
  formChanged,
  answeredLate,
} = slice.actions;
export const { selectAuth, selectIsUnknown, selectUser } = slice.selectors;
export const authSlice = slice;
