import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SignInOptions } from './auth-api.ts';
import {
  formChanged,
  googleLoggedIn,
  googleLoginRequested,
  loggedIn,
  loggedOut,
  loginFailed,
  loginFoundUnverified,
  loginRequested,
  registered,
  registerFailed,
  registerRequested,
  resent,
  verified,
  type Failure,
  type Unverified,
} from './auth-slice.ts';

type AuthScreenState = {
  /** While there is one, the screen asks for its code. */
  readonly unverified: Unverified | null;
  /** How many codes were mailed since the screen asks for one: after each, the next has to wait. */
  readonly codesSent: number;
  /** Counts the forms that were shown, so that no answer to an earlier one is shown under a later one. */
  readonly form: number;
  /** Whether the form that is shown was sent: before, what went wrong in accounts is not about it. */
  readonly sent: boolean;
  readonly fieldErrors: Readonly<Record<string, string>>;
  /** `unknown` until the server has answered, `missed` when it did not. */
  readonly options: SignInOptions | 'unknown' | 'missed';
};
const initialState: AuthScreenState = { unverified: null, codesSent: 0, form: 0, sent: false, fieldErrors: {}, options: 'unknown' };

const blank = (state: AuthScreenState): AuthScreenState => ({ ...initialState, form: state.form, options: state.options });
const asksForCode =
  (codesSent: number) =>
  (state: AuthScreenState, { payload }: PayloadAction<Unverified>): AuthScreenState => ({ ...state, unverified: payload, codesSent });
const told = (state: AuthScreenState, { payload }: PayloadAction<Failure>): AuthScreenState => ({
  ...state,
  fieldErrors: payload.fields ?? {},
});

/** What the sign-in screen shows, beside who is signed in. Kept only as long as the screen stands. */
const slice = createSlice({
  name: 'authScreen',
  initialState,
  reducers: {
    optionsRequested: (state): AuthScreenState => ({ ...state, options: 'unknown' }),
    optionsLoaded: (state, { payload }: PayloadAction<SignInOptions>): AuthScreenState => ({ ...state, options: payload }),
    optionsFailed: (state): AuthScreenState => ({ ...state, options: 'missed' }),
  },
  extraReducers: (builder) => {
    builder
      .addCase(registered, asksForCode(1))
      // The code of the registration may be long dead, so a new one can be had at once.
      .addCase(loginFoundUnverified, asksForCode(0))
      .addCase(resent, (state) => ({ ...state, codesSent: state.codesSent + 1 }))
      .addCase(registerFailed, told)
      .addCase(loginFailed, told);
    for (const begun of [registerRequested, loginRequested, googleLoginRequested])
      builder.addCase(begun, (state) => ({ ...state, sent: true, fieldErrors: {} }));
    builder.addCase(formChanged, (state) => ({ ...blank(state), form: state.form + 1 }));
    for (const ended of [verified, loggedIn, googleLoggedIn, loggedOut]) builder.addCase(ended, blank);
  },
  selectors: {
    selectAuthScreen: (state) => state,
  },
});

export const { optionsRequested, optionsLoaded, optionsFailed } = slice.actions;
export const { selectAuthScreen } = slice.selectors;
export const authScreenSlice = slice;
