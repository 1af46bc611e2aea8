import type { UnknownAction } from '@reduxjs/toolkit';
import type { EventChannel } from 'redux-saga';
import { call, delay, put, race, take, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import { pages } from '#domain/site/paths.ts';
import { fieldErrorsOf, messageOf, refusalOf, statusOf } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { type Identity, sessionChanged } from '../../lib/session-change.ts';
import { readSession, writeSession } from '../../lib/session-storage.ts';
import { fetchUser, logIn, logInWithGoogle, logOut, register, resendCode, signInOptions, verifyCode } from './auth-api.ts';
import { CONSENT } from './auth-forms.ts';
import { optionsLoaded, optionsFailed, optionsRequested, selectAuthScreen } from './auth-screen-slice.ts';
import {
  answeredLate,
  type Failure,
  googleLoggedIn,
  googleLoginFailed,
  googleLoginRequested,
  newsletterOptedIn,
  loggedIn,
  loggedOut,
  loginFailed,
  loginFoundUnverified,
  loginRequested,
  logoutFailed,
  logoutRequested,
  registered,
  registerFailed,
  registerRequested,
  resendFailed,
  resendRequested,
  resent,
  selectAuth,
  selectUser,
  userFetched,
  userFetchFailed,
  userFetchRequested,
  userUnanswered,
  verified,
  verifyFailed,
  verifyRequested,
} from './auth-slice.ts';

/** Remembers which account ticked the newsletter box at sign-up until its code is entered, also over a reload. */
type NewsletterOptIn = { readonly note: (userId: string, wished: boolean) => void; readonly isOf: (userId: string) => boolean };

const NAME = 'letters-wished';

const newsletterOptIn: NewsletterOptIn = {
  note: (userId, wished) => writeSession(NAME, wished ? userId : undefined),
  isOf: (userId) => readSession(NAME) === userId,
};

const failureOf = (error: unknown, fallback: string): Failure => ({ message: messageOf(error, fallback), fields: fieldErrorsOf(error) });

/** The id of the form that is shown, to be passed to `tellForm` with the outcome. */
function* shownForm() {
  return (yield* read(selectAuthScreen)).form;
}

/** Dispatches an outcome only while its form is still shown; under another form it would be misleading. */
function* tellForm(form: number, outcome: UnknownAction) {
  yield put((yield* shownForm()) === form ? outcome : answeredLate());
}

function* fetchCurrentUser() {
  const { api } = yield* services();
  try {
    yield put(userFetched(yield* run(() => fetchUser(api))));
  } catch (error) {
    const message = messageOf(error, 'Failed to fetch user');
    yield put(statusOf(error) === 401 ? userFetchFailed(message) : userUnanswered(message));
  }
}

/** Races with signing in and out, which know the user better than an answer under way. */
function* retryFetchUser() {
  yield race([call(fetchCurrentUser), take([verified, loggedIn, googleLoggedIn, loggedOut])]);
}

/** In ms. A first question without an answer is put again after this, or when the network is back. */
const ASK_AGAIN_MS = 5_000;

function* askLater(cookies: () => string) {
  yield delay(ASK_AGAIN_MS);
  yield* checkSession(cookies);
}

/** Asks who is signed in without a word on the page. Only a 401 says that nobody is. */
function* checkSession(cookies: () => string) {
  const { user, loading } = yield* read(selectAuth);
  if (loading || (user === null && !hasSignedInCookie(cookies()))) return;
  const { api } = yield* services();
  try {
    yield put(userFetched(yield* run(() => fetchUser(api))));
  } catch (error) {
    const message = messageOf(error, 'Failed to fetch user');
    if (statusOf(error) === 401) yield put(userFetchFailed(message));
    else if (user === null) yield put(userUnanswered(message));
  }
}

function* signUp(wish: NewsletterOptIn, { payload }: ReturnType<typeof registerRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    const { [CONSENT]: consent, ...values } = payload;
    const userId = yield* run(() => register(api, values));
    yield call(wish.note, userId, consent === 'yes');
    yield* tellForm(form, registered({ userId, email: values['email'] ?? '' }));
  } catch (error) {
    yield* tellForm(form, registerFailed(failureOf(error, 'Registration failed')));
  }
}

function* enterCode(wish: NewsletterOptIn, { payload: { userId, otp } }: ReturnType<typeof verifyRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    const user = yield* run(() => verifyCode(api, userId, otp));
    yield put(verified(user));
    if (wish.isOf(userId)) yield put(newsletterOptedIn(user.email));
    yield call(wish.note, userId, false);
  } catch (error) {
    yield* tellForm(form, verifyFailed(messageOf(error, 'OTP verification failed')));
  }
}

function* resendCodeTo({ payload: userId }: ReturnType<typeof resendRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield* run(() => resendCode(api, userId));
    yield* tellForm(form, resent());
  } catch (error) {
    yield* tellForm(form, resendFailed(messageOf(error, 'The code could not be sent')));
  }
}

function* signIn({ payload }: ReturnType<typeof loginRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield put(loggedIn(yield* run(() => logIn(api, payload))));
  } catch (error) {
    const { code, userId } = refusalOf(error);
    const isUnverified = code === 'email_not_verified' && typeof userId === 'string';
    yield* tellForm(
      form,
      isUnverified ? loginFoundUnverified({ userId, email: payload['email'] ?? '' }) : loginFailed(failureOf(error, 'Login failed')),
    );
  }
}

function* signInWithGoogle({ payload: token }: ReturnType<typeof googleLoginRequested>) {
  const { api } = yield* services();
  const form = yield* shownForm();
  try {
    yield put(googleLoggedIn(yield* run(() => logInWithGoogle(api, token))));
  } catch (error) {
    const message = messageOf(error, 'Google login failed');
    // Only the message: an axios error contains the request with the token.
    console.error(`Google login: ${message}`);
    yield* tellForm(form, googleLoginFailed(message));
    // The nonce may have been used in another tab: the next attempt needs a new one.
    if (refusalOf(error).code === 'invalid_token') yield put(optionsRequested());
  }
}

function* signOut() {
  const { api, navigate } = yield* services();
  try {
    yield* run(() => logOut(api));
    yield put(loggedOut());
    yield* run(async () => navigate(pages.signIn));
  } catch (error) {
    yield put(logoutFailed(messageOf(error, 'Logout failed')));
  }
}

function* fetchOptions() {
  const { api } = yield* services();
  try {
    yield put(optionsLoaded(yield* run(() => signInOptions(api))));
  } catch {
    // The form works without; the screen says that Google is not available.
    yield put(optionsFailed());
  }
}

/** Says when another identity enters, however it does. Until the first fetch has answered, `known` is undefined. */
function* watchIdentity(known: Identity | undefined) {
  const { tab } = yield* services();
  let from = known;
  yield takeEvery([userFetched, userFetchFailed, verified, loggedIn, googleLoggedIn, loggedOut], function* compare(action: UnknownAction) {
    const to = (yield* read(selectUser))?._id ?? null;
    const isFetch = userFetched.match(action) || userFetchFailed.match(action);
    const isLogout = loggedOut.match(action);
    const change = { from: from ?? null, to, expired: to === null && !isLogout };
    const isFirst = from === undefined;
    from = to;
    if ((isFirst && isFetch) || (change.from === to && !isLogout)) return;
    yield put(sessionChanged(change));
    // What a fetch found, the other tabs find for themselves.
    if (!isFetch) tab?.tellOthers();
  });
}

/** The session cookie is HttpOnly, so the server sets a readable one beside it. */
const hasSignedInCookie = (cookies: string): boolean => /(?:^|;\s*)signed_in=1(?:;|$)/.test(cookies);

/** Fetches the user at the start only when there may be a session, so that a visitor's first page makes no call that can only fail. */
export function* authSaga(cookies = () => document.cookie, wish = newsletterOptIn) {
  const mayBeSignedIn = hasSignedInCookie(cookies());
  yield* watchIdentity(mayBeSignedIn ? undefined : null);
  yield takeLeading(userFetchRequested, retryFetchUser);
  yield takeLeading(registerRequested, signUp, wish);
  yield takeLeading(verifyRequested, enterCode, wish);
  yield takeLeading(resendRequested, resendCodeTo);
  yield takeLeading(loginRequested, signIn);
  yield takeLeading(googleLoginRequested, signInWithGoogle);
  yield takeLeading(logoutRequested, signOut);
  yield takeLeading(optionsRequested, fetchOptions);
  const { tab } = yield* services();
  if (tab) {
    const doubts: EventChannel<true> = yield call(tab.sessionDoubted);
    yield takeLatest(doubts, function* check() {
      // Signing in and out know the user better than an answer under way.
      yield race([call(checkSession, cookies), take([verified, loggedIn, googleLoggedIn, loggedOut])]);
    });
    yield takeLatest(userUnanswered, askLater, cookies);
  }
  if (mayBeSignedIn) yield put(userFetchRequested());
}
