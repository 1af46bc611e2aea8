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
  /** The account whose code the screen asks for, or null. */
  readonly unverified: Unverified | null;
  /** Number of codes mailed while this step is shown: the resend button pauses after each. */
  readonly codesSent: number;
  /** Counts the forms shown, so that the answer to an earlier one is not shown under a later one. */
  readonly form: number;
  /** Whether the shown form was submitted: before that, an error of the auth slice is not about it. */
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
const withOutcome = (state: AuthScreenState, { payload }: PayloadAction<Failure>): AuthScreenState => ({
  ...state,
  fieldErrors: payload.fields ?? {},
});

/** UI state of the sign-in screen. Reset when the screen is left. */
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
      // The code of the registration may have expired, so a new one can be requested at once.
      .addCase(loginFoundUnverified, asksForCode(0))
      .addCase(resent, (state) => ({ ...state, codesSent: state.codesSent + 1 }))
      .addCase(registerFailed, withOutcome)
      .addCase(loginFailed, withOutcome);
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
