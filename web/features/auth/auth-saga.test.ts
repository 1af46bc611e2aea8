import { afterEach, describe, expect, test, vi } from 'vitest';
import { optionsRequested, selectAuthScreen } from './auth-screen-slice.ts';
import {
  formChanged,
  googleLoginRequested,
  loginRequested,
  logoutRequested,
  registerRequested,
  resendRequested,
  selectAuth,
  selectUser,
  userFetchRequested,
  verifyRequested,
} from './auth-slice.ts';
import { ananya, openAccounts, type Answer } from './testing/open-auth.tsx';

afterEach(() => vi.restoreAllMocks());

const NOBODY = { user: null, loading: false, error: null, isAuthenticated: false };
const ANANYA = { user: ananya, loading: false, error: null, isAuthenticated: true };
const VALUES = { email: 'ananya@example.com', password: 'rosewater' };

type Shop = ReturnType<typeof openAccounts>;
const authOf = ({ store }: Shop) => selectAuth(store.getState());
const screenOf = ({ store }: Shop) => selectAuthScreen(store.getState());
const becomes = (shop: Shop, auth: object) => expect.poll(() => authOf(shop)).toEqual(auth);

describe('at the start', () => {
  test('a visitor makes no call', () => {
    const shop = openAccounts({}, { cookies: 'theme=dark; not_signed_in=1' });
    expect(authOf(shop)).toEqual(NOBODY);
    expect(shop.asked).toEqual([]);
  });

  test('the user is fetched when the cookie says that there may be a session', async () => {
    const shop = openAccounts({ 'fetch-user': { status: 200, data: ananya } }, { cookies: 'theme=dark; signed_in=1' });
    expect(authOf(shop)).toMatchObject({ loading: true });
    await becomes(shop, ANANYA);
  });

  test('when the session has ended in the meantime nobody is signed in, and why is kept', async () => {
    const shop = openAccounts({ 'fetch-user': { status: 401, data: { message: 'Not signed in' } } }, { cookies: 'signed_in=1' });
    await becomes(shop, { ...NOBODY, error: 'Not signed in' });
  });
});

/** A promise that the test resolves. */
const later = () => {
  let answer: (answer: Answer) => void = () => {};
  const promise = new Promise<Answer>((resolve) => (answer = resolve));
  return { promise, answer: (given: Answer) => answer(given) };
};

describe('who is asked for', () => {
  test('and signs in meanwhile stays signed in, whatever the older call answers', async () => {
    const question = later();
    const login = { status: 200, data: { user: ananya } };
    const shop = openAccounts({ 'fetch-user': question.promise, login, 'sign-in-options': 'gone' }, { cookies: 'signed_in=1' });
    shop.store.dispatch(loginRequested(VALUES));
    await becomes(shop, ANANYA);
    question.answer({ status: 401, data: { message: 'Not signed in' } });
    shop.store.dispatch(optionsRequested());
    await expect.poll(() => screenOf(shop).options).toBe('missed');
    expect(authOf(shop)).toEqual(ANANYA);
  });

  test('and leaves meanwhile has left', async () => {
    const question = later();
    const shop = openAccounts({ 'fetch-user': question.promise, logout: { status: 200 }, 'sign-in-options': 'gone' });
    shop.store.dispatch(userFetchRequested());
    shop.store.dispatch(logoutRequested());
    await becomes(shop, NOBODY);
    question.answer({ status: 200, data: ananya });
    shop.store.dispatch(optionsRequested());
    await expect.poll(() => screenOf(shop).options).toBe('missed');
    expect(authOf(shop)).toEqual(NOBODY);
  });
});

describe('under another form', () => {
  test.each([
    ['register', registerRequested(VALUES), { status: 409, data: { message: 'Email already registered' } }],
    ['register', registerRequested(VALUES), { status: 201, data: { userId: ananya._id } }],
    ['login', loginRequested(VALUES), { status: 401, data: { message: 'Invalid email or password' } }],
    ['verify-otp', verifyRequested({ userId: ananya._id, otp: '407193' }), { status: 400, data: { message: 'Invalid OTP' } }],
  ] as const)('nothing is said of the answer to %s', async (path, request, given) => {
    const answer = later();
    const shop = openAccounts({ [path]: answer.promise });
    shop.store.dispatch(request);
    shop.store.dispatch(formChanged());
    answer.answer(given);
    await becomes(shop, NOBODY);
    expect(screenOf(shop)).toMatchObject({ unverified: null, fieldErrors: {} });
  });

  test('whose password was right is in', async () => {
    const answer = later();
    const shop = openAccounts({ login: answer.promise });
    shop.store.dispatch(loginRequested(VALUES));
    shop.store.dispatch(formChanged());
    answer.answer({ status: 200, data: { user: ananya } });
    await becomes(shop, ANANYA);
  });
});

describe('a request', () => {
  const requests = [
    ['fetch-user', userFetchRequested(), 'Failed to fetch user'],
    ['register', registerRequested(VALUES), 'Registration failed'],
    ['verify-otp', verifyRequested({ userId: ananya._id, otp: '407193' }), 'OTP verification failed'],
    ['resend-otp', resendRequested(ananya._id), 'The code could not be sent'],
    ['login', loginRequested(VALUES), 'Login failed'],
    ['google-login', googleLoginRequested('a token'), 'Google login failed'],
    ['logout', logoutRequested(), 'Logout failed'],
  ] as const;

  test.each(requests)(
    "%s: sets loading, and what the server says is kept, else a sentence of the shop's own",
    async (path, request, fallback) => {
      vi.spyOn(console, 'error').mockReturnValue();
      const refused = openAccounts({ [path]: { status: 429, data: { message: 'Too many requests' } } });
      refused.store.dispatch(request);
      expect(authOf(refused)).toMatchObject({ loading: true, error: null });
      await expect.poll(() => authOf(refused)).toMatchObject({ loading: false, error: 'Too many requests' });

      const gone = openAccounts({ [path]: 'gone' });
      gone.store.dispatch(request);
      await expect.poll(() => authOf(gone)).toMatchObject({ loading: false, error: fallback });
    },
  );

  test.each(requests)('%s: is made once, however often it is asked for meanwhile', async (path, request) => {
    vi.spyOn(console, 'error').mockReturnValue();
    let answer: (answer: Answer) => void = () => {};
    const shop = openAccounts({ [path]: new Promise<Answer>((resolve) => (answer = resolve)) });
    shop.store.dispatch(request);
    shop.store.dispatch(request);
    answer({ status: 503 });
    await expect.poll(() => authOf(shop).loading).toBe(false);
    expect(shop.calls(path)).toHaveLength(1);
  });

  test('clears the error of the last one', async () => {
    const shop = openAccounts({ login: { status: 401, data: { message: 'Invalid email or password' } } });
    shop.store.dispatch(loginRequested(VALUES));
    await becomes(shop, { ...NOBODY, error: 'Invalid email or password' });
    shop.store.dispatch(loginRequested(VALUES));
    expect(authOf(shop).error).toBeNull();
  });
});

describe('registering', () => {
  const registered = async () => {
    const shop = openAccounts({
      register: { status: 201, data: { userId: ananya._id } },
      'verify-otp': { status: 200, data: ananya },
      'resend-otp': { status: 200, data: {} },
    });
    shop.store.dispatch(registerRequested(VALUES));
    await expect.poll(() => screenOf(shop)).toMatchObject({ unverified: { userId: ananya._id, email: ananya.email }, codesSent: 1 });
    return shop;
  };

  test('signs nobody in and waits for the code', async () => expect(authOf(await registered())).toEqual(NOBODY));

  test('the right code signs in, and the screen forgets whose it was', async () => {
    const shop = await registered();
    shop.store.dispatch(verifyRequested({ userId: ananya._id, otp: '407193' }));
    await becomes(shop, ANANYA);
    expect(screenOf(shop).unverified).toBeNull();
    expect(shop.calls('verify-otp')).toEqual([{ path: 'verify-otp', body: { userId: ananya._id, otp: '407193' } }]);
  });

  test('another code can be had', async () => {
    const shop = await registered();
    shop.store.dispatch(resendRequested(ananya._id));
    await expect.poll(() => screenOf(shop).codesSent).toBe(2);
    expect(authOf(shop)).toEqual(NOBODY);
  });

  test('what is wrong with which field is kept until the next try', async () => {
    const data = { message: 'Please check the form', errors: { email: 'Please enter a valid email' } };
    const shop = openAccounts({ register: { status: 400, data } });
    shop.store.dispatch(registerRequested(VALUES));
    await expect.poll(() => screenOf(shop).fieldErrors).toEqual(data.errors);
    shop.store.dispatch(registerRequested(VALUES));
    expect(screenOf(shop).fieldErrors).toEqual({});
  });

  test('another form asks for no code', async () => {
    const shop = await registered();
    shop.store.dispatch(formChanged());
    expect(screenOf(shop).unverified).toBeNull();
  });
});

describe('signing in', () => {
  test('with a password takes the user of the answer', async () => {
    const shop = openAccounts({ login: { status: 200, data: { user: ananya, message: 'Signed in' } } });
    shop.store.dispatch(loginRequested(VALUES));
    await becomes(shop, ANANYA);
    expect(selectUser(shop.store.getState())).toEqual(ananya);
  });

  test('to an account that was never verified asks for its code, of which none was sent just now', async () => {
    const data = { message: 'Please verify your email', code: 'email_not_verified', userId: ananya._id };
    const shop = openAccounts({ login: { status: 403, data } });
    shop.store.dispatch(loginRequested(VALUES));
    await expect.poll(() => screenOf(shop)).toMatchObject({ unverified: { userId: ananya._id, email: ananya.email }, codesSent: 0 });
    expect(authOf(shop)).toEqual(NOBODY);
  });

  test('with Google hands over the token', async () => {
    const shop = openAccounts({ 'google-login': { status: 200, data: { user: ananya } } });
    shop.store.dispatch(googleLoginRequested('a token'));
    await becomes(shop, ANANYA);
    expect(shop.asked).toEqual([{ path: 'google-login', body: { token: 'a token' } }]);
  });

  test('with Google logs a failure without the token', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const shop = openAccounts({ 'google-login': { status: 401, data: { message: 'Google login failed' } } });
    shop.store.dispatch(googleLoginRequested('a token'));
    await becomes(shop, { ...NOBODY, error: 'Google login failed' });
    expect(log.mock.calls).toEqual([['Google login: Google login failed']]);
  });
});

describe('signing out', () => {
  const signedIn = async (logout: Answer) => {
    const shop = openAccounts({ 'fetch-user': { status: 200, data: ananya }, logout }, { cookies: 'signed_in=1' });
    await becomes(shop, ANANYA);
    shop.store.dispatch(logoutRequested());
    return shop;
  };

  test('forgets the user and leads to the sign-in screen', async () => {
    const shop = await signedIn({ status: 200 });
    await expect.poll(() => shop.visited).toEqual(['/signin']);
    expect(authOf(shop)).toEqual(NOBODY);
    expect(JSON.stringify(shop.store.getState())).not.toContain('ananya');
  });

  test('keeps the user signed in after a failure', async () => {
    const shop = await signedIn({ status: 503 });
    await becomes(shop, { ...ANANYA, error: 'Logout failed' });
    expect(shop.visited).toEqual([]);
  });
});
