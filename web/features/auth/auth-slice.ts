import { createAction, createSlice, type CaseReducer, type PayloadAction } from '@reduxjs/toolkit';
import type { FormValues, User } from './auth-api.ts';

/** Specification, section 4. */
type AuthState = {
  readonly user: User | null;
  readonly loading: boolean;
  readonly error: string | null;
  readonly isAuthenticated: boolean;
};
const initialState: AuthState = { user: null, loading: false, error: null, isAuthenticated: false };

/** A refused call: the sentence for the shopper, and what is wrong with which field. */
export type Failure = { readonly message: string; readonly fields?: Readonly<Record<string, string>> };

/** An account that waits for the code which was mailed to it. */
export type Unverified = { readonly userId: string; readonly email: string };

const asked = (state: AuthState): AuthState => ({ ...state, loading: true, error: null });
const ended = (state: AuthState): AuthState => ({ ...state, loading: false });
/** The slice only waits for the answer; what the action carries is for the saga. */
const askedWith = <Payload>(): CaseReducer<AuthState, PayloadAction<Payload>> => asked;
const endedWith = <Payload>(): CaseReducer<AuthState, PayloadAction<Payload>> => ended;
const failed = (state: AuthState, message: string): AuthState => ({ ...state, loading: false, error: message });
const entered = (user: User): AuthState => ({ user, loading: false, error: null, isAuthenticated: true });

/** Somebody whose address is proven has asked for the letters. Here nothing follows from it: `app` hands it to the newsletter. */
export const newsletterOptedIn = createAction<string>('auth/lettersWished');

const slice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    userFetchRequested: asked,
    userFetched: (_, { payload }: PayloadAction<User>) => entered(payload),
    userFetchFailed: (_, { payload }: PayloadAction<string>): AuthState => ({ ...initialState, error: payload }),

    registerRequested: askedWith<FormValues>(),
    registered: endedWith<Unverified>(),
    registerFailed: (state, { payload }: PayloadAction<Failure>) => failed(state, payload.message),

    verifyRequested: askedWith<{ readonly userId: string; readonly otp: string }>(),
    verified: (_, { payload }: PayloadAction<User>) => entered(payload),
    verifyFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    resendRequested: askedWith<string>(),
    resent: ended,
    resendFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    loginRequested: askedWith<FormValues>(),
    loggedIn: (_, { payload }: PayloadAction<User>) => entered(payload),
    /** The password was right, but the code that was mailed at the registration is still to be entered. */
    loginFoundUnverified: endedWith<Unverified>(),
    loginFailed: (state, { payload }: PayloadAction<Failure>) => failed(state, payload.message),

    googleLoginRequested: askedWith<string>(),
    googleLoggedIn: (_, { payload }: PayloadAction<User>) => entered(payload),
    googleLoginFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    logoutRequested: asked,
    loggedOut: () => initialState,
    logoutFailed: (state, { payload }: PayloadAction<string>) => failed(state, payload),

    /** The screen shows another form: what was wrong with the last one is not said there. */
    formChanged: (state): AuthState => ({ ...state, error: null }),
    /** What a form had asked for came to nothing, or to a code, when another form was shown already: there nothing is said of it. */
    answeredLate: ended,
  },
  selectors: {
    selectAuth: (state) => state,
    /** Null for a visitor, and until the server has said who it is. */
    selectUser: (state) => state.user,
  },
});

export const {
  userFetchRequested,
  userFetched,
  userFetchFailed,
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
export const { selectAuth, selectUser } = slice.selectors;
export const authSlice = slice;
