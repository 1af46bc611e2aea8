import type { UnknownAction } from '@reduxjs/toolkit';
import type { EventChannel } from 'redux-saga';
import { call, delay, put, race, take, takeEvery, takeLatest, takeLeading } from 'redux-saga/effects';
import { pages } from '#domain/site/pages.ts';
import { getMessage, getHttpStatus } from '../../lib/http/api.ts';
import { read, run, services } from '../../lib/saga.ts';
import { type Identity, sessionChanged } from '../../lib/session-change.ts';
import { readCookies } from '../../lib/session-storage.ts';
import { fetchUser, logOut } from './auth-api.ts';
import { authSlice, selectAuth, selectUser } from './auth-slice.ts';

const { actions } = authSlice;

/** Fetches the user. Only a 401 means that nobody is signed in. With `isQuiet`, other failures are not reported. */
function* fetchCurrentUser(isQuiet = false) {
  const { api } = yield* services();
  try {
    yield put(actions.userFetched(yield* run(() => fetchUser(api))));
  } catch (error) {
    const message = getMessage(error, 'Failed to fetch user');
    if (getHttpStatus(error) === 401) yield put(actions.userFetchFailed(message));
    else if (!isQuiet) yield put(actions.userUnanswered(message));
  }
}

/** Cancels the fetch when somebody signs in or out, because its answer would be outdated. */
function* unlessSignedInOrOut(question: () => Generator) {
  yield race([call(question), take([actions.loggedIn, actions.loggedOut])]);
}

/** A first question without an answer is put again after this, or when the network is back. */
const ASK_AGAIN_MS = 5_000;

function* askLater(cookies: () => string) {
  yield delay(ASK_AGAIN_MS);
  yield* checkSession(cookies);
}

/** Fetches the user without a loading state. */
function* checkSession(cookies: () => string) {
  const { user, loading, error } = yield* read(selectAuth);
  const isAsking = loading && error === null;
  if (isAsking || (user === null && !hasSignedInCookie(cookies()))) return;
  yield* fetchCurrentUser(user !== null);
}

function* signOut({ type }: UnknownAction) {
  const { api, navigate } = yield* services();
  try {
    yield* run(() => logOut(api));
    yield put(actions.loggedOut());
    if (type === actions.logoutRequested.type) yield* run(async () => navigate(pages.signIn));
  } catch (error) {
    yield put(actions.logoutFailed(getMessage(error, 'Logout failed')));
  }
}

/** Dispatches `sessionChanged` whenever another user enters. `known` is undefined until the first fetch has answered. */
function* watchIdentity(known: Identity | undefined) {
  const { tab } = yield* services();
  let from = known;
  yield takeEvery(
    [actions.userFetched, actions.userFetchFailed, actions.loggedIn, actions.loggedOut],
    function* compare(action: UnknownAction) {
      const to = (yield* read(selectUser))?._id ?? null;
      const isFetch = actions.userFetched.match(action) || actions.userFetchFailed.match(action);
      const isLogout = actions.loggedOut.match(action);
      const change = { from: from ?? null, to, expired: to === null && !isLogout };
      const isFirst = from === undefined;
      from = to;
      if ((isFirst && isFetch) || (change.from === to && !isLogout)) return;
      yield put(sessionChanged(change));
      // A change found by a fetch is not announced, because the other tabs fetch the user themselves.
      if (!isFetch) tab?.notifyOtherTabs();
    },
  );
}

/** The session cookie is HttpOnly, so the server sets a readable one beside it. */
const hasSignedInCookie = (cookies: string): boolean => /(?:^|;\s*)signed_in=1(?:;|$)/.test(cookies);

/** Fetches the user at the start only if there may be a session, so that a visitor's first page makes no call that can only fail. */
export function* authSaga(cookies = readCookies) {
  const mayBeSignedIn = hasSignedInCookie(cookies());
  yield* watchIdentity(mayBeSignedIn ? undefined : null);
  yield takeLeading(actions.userFetchRequested, unlessSignedInOrOut, () => fetchCurrentUser());
  yield takeLeading([actions.logoutRequested, actions.newSignInRequested], signOut);
  yield takeLatest(actions.userUnanswered, askLater, cookies);
  const { tab } = yield* services();
  if (tab) {
    const doubts: EventChannel<true> = yield call(tab.sessionDoubted);
    yield takeLatest(doubts, unlessSignedInOrOut, () => checkSession(cookies));
  }
  if (mayBeSignedIn) yield put(actions.userFetchRequested());
}
