import { afterEach, describe, expect, test, vi } from 'vitest';
import { authApi } from './auth-api.ts';
import { loggedIn, logoutRequested, newSignInRequested, selectAuth, selectIsUnknown, userFetchRequested } from './auth-slice.ts';
import { createLateAnswer, type Answer } from '../../testing/shop.tsx';
import { ananya, openAccounts, type Answers } from './testing/open-auth.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const NOBODY = { user: null, loading: false, error: null, isAuthenticated: false };
const ANANYA = { user: ananya, loading: false, error: null, isAuthenticated: true };
const VALUES = { email: 'ananya@example.com', password: 'rosewater' };

type Shop = ReturnType<typeof openAccounts>;
const authOf = ({ store }: Shop) => selectAuth(store.getState());
const becomes = (shop: Shop, auth: object) => expect.poll(() => authOf(shop)).toEqual(auth);

test('when the shop opens, a visitor makes no call', () => {
  const shop = openAccounts({}, { cookies: 'theme=dark; not_signed_in=1' });
  expect(authOf(shop)).toEqual(NOBODY);
  expect(shop.asked()).toEqual([]);
});

test('when the shop opens, the user is fetched when the cookie says that there may be a session', async () => {
  const shop = openAccounts({ 'fetch-user': { status: 200, data: ananya } }, { cookies: 'theme=dark; signed_in=1' });
  expect(authOf(shop)).toMatchObject({ loading: true });
  await becomes(shop, ANANYA);
});

test('when the shop opens, nobody is signed in when the session has ended, and the error says why', async () => {
  const shop = openAccounts({ 'fetch-user': { status: 401, data: { message: 'Not signed in' } } }, { cookies: 'signed_in=1' });
  await becomes(shop, { ...NOBODY, error: 'Not signed in' });
});

/** Resolves when every answer so far has had its effect. */
const afterAnswers = () => new Promise((resolve) => setTimeout(resolve));

test('a shopper while the user is being fetched stays signed in after a sign-in, whatever the older fetch answers', async () => {
  const question = createLateAnswer();
  const shop = openAccounts({ 'fetch-user': question.promise }, { cookies: 'signed_in=1' });
  shop.store.dispatch(loggedIn(ananya));
  question.answer({ status: 401, data: { message: 'Not signed in' } });
  await afterAnswers();
  expect(authOf(shop)).toEqual(ANANYA);
});

test('a shopper while the user is being fetched stays signed out after a logout, whatever the older fetch answers', async () => {
  const question = createLateAnswer();
  const shop = openAccounts({ 'fetch-user': question.promise, logout: { status: 200 } });
  shop.store.dispatch(userFetchRequested());
  shop.store.dispatch(logoutRequested());
  await becomes(shop, NOBODY);
  question.answer({ status: 200, data: ananya });
  await afterAnswers();
  expect(authOf(shop)).toEqual(NOBODY);
});

test('a shopper while the user is being fetched stays unknown until the server answers, and the fetch is repeated until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const answers: { 'fetch-user': Answers[string] } = { 'fetch-user': 'gone' };
  const shop = openAccounts(answers, { cookies: 'signed_in=1' });
  await becomes(shop, { ...NOBODY, loading: true, error: 'Failed to fetch user' });
  expect(selectIsUnknown(shop.store.getState())).toBe(true);
  answers['fetch-user'] = { status: 200, data: ananya };
  await vi.advanceTimersToNextTimerAsync();
  vi.useRealTimers();
  await becomes(shop, ANANYA);
  expect(shop.calls('fetch-user')).toHaveLength(2);
});

describe('a request', () => {
  const { register, verifyCode, resendCode, logIn, logInWithGoogle } = authApi.endpoints;
  const make = {
    register: ({ store }: Shop) => store.dispatch(register.initiate(VALUES)),
    'verify-otp': ({ store }: Shop) => store.dispatch(verifyCode.initiate({ userId: ananya._id, otp: '407193' })),
    'resend-otp': ({ store }: Shop) => store.dispatch(resendCode.initiate(ananya._id)),
    login: ({ store }: Shop) => store.dispatch(logIn.initiate(VALUES)),
    'google-login': ({ store }: Shop) => store.dispatch(logInWithGoogle.initiate({ token: 'a token' })),
    logout: ({ store }: Shop) => store.dispatch(logoutRequested()),
  };

  test.each([
    ['register', 'Registration failed'],
    ['verify-otp', 'OTP verification failed'],
    ['resend-otp', 'The code could not be sent. Please try again.'],
    ['login', 'Login failed'],
    ['google-login', 'Google login failed'],
    ['logout', 'Logout failed'],
  ] as const)("%s: sets loading, and keeps the server's message or else a fallback as the error", async (path, fallback) => {
    const refused = openAccounts({ [path]: { status: 429, data: { message: 'Too many requests' } } });
    void make[path](refused);
    expect(authOf(refused)).toMatchObject({ loading: true, error: null });
    await becomes(refused, { ...NOBODY, error: 'Too many requests' });

    const gone = openAccounts({ [path]: 'gone' });
    void make[path](gone);
    await becomes(gone, { ...NOBODY, error: fallback });
    void make[path](gone);
    expect(authOf(gone)).toMatchObject({ loading: true, error: null });
  });

  test.each([
    ['register', { status: 201, data: { userId: ananya._id } }],
    ['resend-otp', { status: 200, data: {} }],
  ] as const)('%s: does not sign the shopper in', async (path, answer) => {
    const shop = openAccounts({ [path]: answer });
    await make[path](shop);
    expect(authOf(shop)).toEqual(NOBODY);
  });

  test.each([
    ['fetch-user', userFetchRequested()],
    ['logout', logoutRequested()],
  ] as const)('%s: is sent once, even if it is requested again before the answer', async (path, request) => {
    const answer = createLateAnswer();
    const shop = openAccounts({ [path]: answer.promise });
    shop.store.dispatch(request);
    shop.store.dispatch(request);
    answer.answer({ status: 401 });
    await expect.poll(() => authOf(shop).loading).toBe(false);
    expect(shop.calls(path)).toHaveLength(1);
  });
});

const signedIn = async (logout: Answer) => {
  const shop = openAccounts({ 'fetch-user': { status: 200, data: ananya }, logout }, { cookies: 'signed_in=1' });
  await becomes(shop, ANANYA);
  shop.store.dispatch(logoutRequested());
  return shop;
};

test('signing out removes the user from the state and opens the sign-in page', async () => {
  const shop = await signedIn({ status: 200 });
  await expect.poll(() => shop.visited).toEqual(['/signin']);
  expect(authOf(shop)).toEqual(NOBODY);
  expect(JSON.stringify(shop.store.getState())).not.toContain('ananya');
});

test('signing out does not navigate when the page asked for a new sign-in', async () => {
  const shop = openAccounts({ 'fetch-user': { status: 200, data: ananya }, logout: { status: 200 } }, { cookies: 'signed_in=1' });
  await becomes(shop, ANANYA);
  shop.store.dispatch(newSignInRequested());
  await becomes(shop, NOBODY);
  await afterAnswers();
  expect(shop.visited).toEqual([]);
});

test('signing out keeps the user signed in after a failure', async () => {
  const shop = await signedIn({ status: 503 });
  await becomes(shop, { ...ANANYA, error: 'Logout failed' });
  expect(shop.visited).toEqual([]);
});
