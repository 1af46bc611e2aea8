import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NOT_AN_EMAIL } from '#domain/shared/email.ts';
import { selectAuth, selectUser, userFetchRequested } from './auth-slice.ts';
import { ananya, NO_ROOM_FOR, openAuthPage, type Answers } from './testing/open-auth.tsx';
import { fill, findTitle, getField, getHref, getNote, pass, press } from '../../testing/interactions.ts';
import { createLateAnswer } from '../../testing/shop.tsx';

afterEach(() => {
  sessionStorage.clear();
});

const PERSON = { Name: ananya.name, Email: ananya.email, Phone: ananya.phone, Password: 'rosewater', 'Confirm Password': 'rosewater' };
const fillAll = () => {
  for (const [label, text] of Object.entries(PERSON)) fill(label, text);
};
const REGISTERED = { register: { status: 201, data: { userId: ananya._id } } };
const UNVERIFIED = { status: 403, data: { message: 'Please verify your email', code: 'email_not_verified', userId: ananya._id } };
const LOGGED_IN = { login: { status: 200, data: { user: ananya } } };

const logIn = () => {
  fill('Email', 'ananya@example.com');
  fill('Password', 'rosewater');
  press('Sign In');
};
const signUp = async (answers: Answers = {}, address = '/signup') => {
  const shop = openAuthPage(address, { ...REGISTERED, ...answers });
  fillAll();
  press('Create Account');
  await findTitle('Verify Your OTP');
  return shop;
};

describe('the sign-in form', () => {
  test('has the configured fields and title', async () => {
    openAuthPage('/signin');
    expect(getField('Email')).toMatchObject({ type: 'email', name: 'email', required: true, autocomplete: 'username' });
    expect(getField('Password')).toMatchObject({ type: 'password', name: 'password', required: true, autocomplete: 'current-password' });
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
    await expect.poll(() => document.title).toBe('Sign In · RUHANI');
    expect(getHref('Forgot your password?')).toBe('/forgot-password');
  });

  test('signs in and returns to the page that the shopper came from, and is closed to who is signed in', async () => {
    const shop = openAuthPage('/signin?from=%2Fshop%3Fcollection%3DOud', LOGGED_IN);
    logIn();
    await waitFor(() => expect(shop.place()).toBe('/shop?collection=Oud'));
    expect(shop.calls('login')).toEqual([{ path: 'login', body: { email: 'ananya@example.com', password: 'rosewater' } }]);
    await act(() => shop.router.navigate('/signup'));
    await waitFor(() => expect(shop.place()).toBe('/'));
  });

  test.each(['/signin', '/signin?from=%2F%2Fevil.test'])('at %s leads to the home page', async (address) => {
    const shop = openAuthPage(address, LOGGED_IN);
    logIn();
    await waitFor(() => expect(shop.place()).toBe('/'));
  });

  test("shows 'Loading...' while it is sent, and cannot be sent again", async () => {
    const { promise, answer } = createLateAnswer();
    openAuthPage('/signin', { login: promise });
    logIn();
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Loading...' });
    expect(button.disabled).toBe(true);
    act(() => answer({ status: 401, data: { message: 'Invalid email or password' } }));
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid email or password');
    expect(getField('Email').value).toBe('ananya@example.com');
  });

  test('says what is wrong with an e-mail address, and sends nothing', async () => {
    const shop = openAuthPage('/signin', LOGGED_IN);
    fill('Email', 'meera@gmail..com');
    fill('Password', 'rosewater');
    press('Sign In');
    await waitFor(() => expect(getNote('Email')).toBe(NOT_AN_EMAIL));
    expect(shop.calls('login')).toEqual([]);
  });

  test('shows an error under each missing field, focuses the first one and sends nothing', async () => {
    const shop = openAuthPage('/signin');
    fill('Email', 'ananya@example.com');
    press('Sign In');
    await waitFor(() => expect(getNote('Password')).toBe('Required'));
    expect(getField('Password').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(getField('Password'));
    expect(getField('Email').hasAttribute('aria-invalid')).toBe(false);
    expect(shop.calls('login')).toEqual([]);
  });

  test('shows no error for an ended session', async () => {
    const { store } = openAuthPage('/signin', { 'fetch-user': { status: 401, data: { message: 'Not signed in' } } });
    store.dispatch(userFetchRequested());
    await waitFor(() => expect(selectAuth(store.getState()).error).toBe('Not signed in'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('shows the password on request', async () => {
    openAuthPage('/signin');
    press('Show password');
    expect(getField('Password').type).toBe('text');
    press('Hide password');
    expect(getField('Password').type).toBe('password');
  });

  test('asks an unverified account for the code, and offers a new code at once', async () => {
    openAuthPage('/signin', { login: UNVERIFIED });
    logIn();
    await findTitle('Verify Your OTP');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send a new code' }).disabled).toBe(false);
  });
});

describe('the step of the second factor', () => {
  const REQUIRED = { login: { data: { totpRequired: true, loginToken: 'the token' } } };
  const askForCode = async (answers: Answers = {}) => {
    const shop = openAuthPage('/signin?from=%2Fcart', { ...REQUIRED, ...answers });
    logIn();
    await findTitle('Your second factor');
    expect(selectUser(shop.store.getState())).toBeNull();
    expect(selectAuth(shop.store.getState()).loading).toBe(false);
    return shop;
  };

  test('takes six digits, and then signs in', async () => {
    const shop = await askForCode({ 'login-totp': { data: { user: { ...ananya, totp: true } } } });
    press('Sign In');
    expect(await screen.findByText('Please enter all six digits.')).toBeInstanceOf(HTMLElement);
    fill('Six-digit code', '402 711');
    press('Sign In');
    await waitFor(() => expect(shop.place()).toBe('/cart'));
    expect(shop.calls('login-totp').map(({ body }) => body)).toEqual([{ loginToken: 'the token', code: '402711' }]);
  });

  test('takes a recovery code too', async () => {
    const shop = await askForCode({ 'login-totp': { data: { user: { ...ananya, totp: true } } } });
    fill('Six-digit code', '402');
    press('Use a recovery code');
    fill('Recovery code', 'k7vq-3mdp');
    // Both steps keep what was typed, and the cells show it.
    press('Use the authenticator');
    expect(getField('Six-digit code').value).toBe('402');
    expect(getField('Six-digit code').previousElementSibling?.textContent).toBe('402');
    press('Use a recovery code');
    press('Sign In');
    await waitFor(() => expect(shop.place()).toBe('/cart'));
    expect(shop.calls('login-totp').map(({ body }) => body)).toEqual([{ loginToken: 'the token', code: 'k7vq-3mdp' }]);
  });

  test('says what is wrong with a code, and leads back once the sign-in is over', async () => {
    await askForCode({ 'login-totp': { status: 401, data: { message: 'This sign-in took too long.', code: 'login_expired' } } });
    fill('Six-digit code', '402711');
    press('Sign In');
    expect((await screen.findByRole('alert')).textContent).toBe('This sign-in took too long.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign In' }).disabled).toBe(true);
    press('Sign in again');
    await findTitle('Welcome back');
  });

  test('follows a mailed code as well', async () => {
    openAuthPage('/signin', { login: UNVERIFIED, 'verify-otp': REQUIRED.login });
    logIn();
    await findTitle('Verify Your OTP');
    fill('Six-digit code', '407193');
    press('Verify OTP');
    await findTitle('Your second factor');
  });
});

test('the sign-up form names its fields by their labels and sends them', async () => {
  const shop = await signUp();
  const { name, email, phone } = ananya;
  const sent = { name, email, phone, password: 'rosewater', confirm_password: 'rosewater' };
  expect(shop.calls('register').map(({ body }) => body)).toEqual([sent]);
});

test('the sign-up form has an optional newsletter box', async () => {
  openAuthPage('/signup');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send me letters from Kannauj' })).toMatchObject({
    checked: false,
    required: false,
  });
  await expect.poll(() => document.title).toBe('Sign Up · RUHANI');
});

test.each([
  ['ticked', [ananya.email]],
  ['empty', []],
])('the sign-up form remembers over a reload that the newsletter box was %s, until the code is entered', async (box, expected) => {
  openAuthPage('/signup', REGISTERED);
  fillAll();
  if (box === 'ticked') fireEvent.click(screen.getByRole('checkbox'));
  press('Create Account');
  await findTitle('Verify Your OTP');
  for (const letters of [expected, []]) {
    cleanup();
    const shop = openAuthPage('/signin', { login: UNVERIFIED, 'verify-otp': { status: 200, data: ananya } });
    logIn();
    await findTitle('Verify Your OTP');
    fireEvent.change(screen.getByLabelText('Six-digit code'), { target: { value: '407193' } });
    expect(shop.lettersTo).toEqual([]);
    press('Verify OTP');
    await waitFor(() => expect(shop.place()).toBe('/'));
    expect(shop.lettersTo).toEqual(letters);
  }
});

test('the sign-up form keeps the newsletter box ticked when the shopper returns from the code step, and does not send it', async () => {
  const shop = openAuthPage('/signup', REGISTERED);
  fillAll();
  const box = () => screen.getByRole<HTMLInputElement>('checkbox');
  fireEvent.click(box());
  press('Create Account');
  await findTitle('Verify Your OTP');
  press('Change e-mail');
  await findTitle('Join the house');
  expect(box().checked).toBe(true);
  expect(getField('Email').value).toBe('ananya@example.com');
  expect(shop.calls('register')).toHaveLength(1);
  expect(shop.calls('register')[0]?.body).not.toHaveProperty('consent');
});

test("the sign-up form shows the server's error for a field under that field", async () => {
  const data = { message: 'Please check the form', errors: { confirm_password: 'Passwords do not match' } };
  openAuthPage('/signup', { register: { status: 400, data } });
  fillAll();
  press('Create Account');
  await waitFor(() => expect(getNote('Confirm Password')).toBe('Passwords do not match'));
  expect(screen.getByRole('alert').textContent).toBe('Please check the form');
  expect(document.activeElement).toBe(getField('Confirm Password'));
});

test('switching between sign-in and sign-up empties the form, hides the error, and keeps the page to return to', async () => {
  const shop = openAuthPage('/signin?from=%2Fcart', { login: { status: 401, data: { message: 'Invalid email or password' } } });
  logIn();
  await screen.findByRole('alert');
  fireEvent.click(screen.getByRole('link', { name: 'Create an account' }));
  await findTitle('Join the house');
  expect(shop.place()).toBe('/signup?from=%2Fcart');
  expect(getField('Email').value).toBe('');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByRole('link', { name: 'Sign in' }));
  await findTitle('Welcome back');
  expect(getField('Email').value).toBe('');
});

const switchWhileAsking = async () => {
  const { promise, answer } = createLateAnswer();
  const shop = openAuthPage('/signin', { login: promise });
  logIn();
  fireEvent.click(screen.getByRole('link', { name: 'Create an account' }));
  await findTitle('Join the house');
  return { shop, answer };
};

test.each([
  ['a refusal', { status: 401, data: { message: 'Invalid email or password' } }],
  ['an account whose code is needed', UNVERIFIED],
])('switching between sign-in and sign-up does not show %s that arrives after the switch', async (_, answered) => {
  const { shop, answer } = await switchWhileAsking();
  answer(answered);
  await waitFor(() => expect(selectAuth(shop.store.getState()).loading).toBe(false));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Join the house');
});

test('switching between sign-in and sign-up still signs the shopper in when the sent password was right', async () => {
  const { shop, answer } = await switchWhileAsking();
  answer({ status: 200, data: { user: ananya } });
  await waitFor(() => expect(shop.place()).toBe('/'));
  expect(selectUser(shop.store.getState())).toEqual(ananya);
});

test('switching between sign-in and sign-up leaves the code step', async () => {
  const { router } = await signUp();
  await act(() => router.navigate('/signin'));
  await findTitle('Welcome back');
  await act(() => router.navigate('/signup'));
  await findTitle('Join the house');
  expect(getField('Email').value).toBe('');
});

describe('the verification code', () => {
  const code = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Six-digit code' });
  const enter = (text: string) => fireEvent.change(code(), { target: { value: text } });

  test('is entered in one labelled input that a phone can fill in', async () => {
    await signUp();
    await expect.poll(() => document.title).toBe('Verify Your OTP · RUHANI');
    expect(screen.getByText('Please enter the 6-digit code sent to your email').id).toBe(code().getAttribute('aria-describedby'));
    expect(screen.getByText('ananya@example.com')).toBeInstanceOf(HTMLElement);
    expect(code()).toMatchObject({ inputMode: 'numeric', autocomplete: 'one-time-code' });
    expect(document.activeElement).toBe(code());
  });

  test.each(['12 34 56', '१२३४५६'])('pasted as %s is read as 123456 and verifies the account', async (pasted) => {
    const shop = await signUp({ 'verify-otp': { status: 200, data: { ...ananya, noRoomFor: NO_ROOM_FOR } } }, '/signup?from=%2Fcart');
    await userEvent.click(code());
    await userEvent.paste(pasted);
    expect(code().value).toBe('123456');
    press('Verify OTP');
    await waitFor(() => expect(shop.place()).toBe('/cart'));
    expect(shop.calls('verify-otp').map(({ body }) => body)).toEqual([{ userId: ananya._id, otp: '123456' }]);
    expect(selectUser(shop.store.getState())).toEqual(ananya);
    expect(shop.leftOut).toEqual(NO_ROOM_FOR);
  });

  test('is not sent with five digits', async () => {
    const shop = await signUp();
    enter('12345');
    await userEvent.click(screen.getByRole('button', { name: 'Verify OTP' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter the full 6-digit OTP.');
    expect(code().value).toBe('12345');
    expect(document.activeElement).toBe(code());
    expect(shop.calls('verify-otp')).toEqual([]);
  });

  test("shows 'Verifying...' while it is sent; a wrong code gives an error and stays in the input", async () => {
    const { promise, answer } = createLateAnswer();
    await signUp({ 'verify-otp': promise });
    enter('407193');
    press('Verify OTP');
    expect(await screen.findByRole('button', { name: 'Verifying...' })).toBeInstanceOf(HTMLElement);
    act(() => answer({ status: 400, data: { message: 'Invalid OTP' } }));
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid OTP');
    expect(code().value).toBe('407193');
  });

  test('can be mailed again after a minute, and then the minute begins again', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const shop = await signUp({ 'resend-otp': { status: 200, data: {} } });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send a new code in 1:00' }).disabled).toBe(true);
    await pass(18_000);
    expect(screen.getByRole('button', { name: 'Send a new code in 0:42' })).toBeInstanceOf(HTMLElement);
    await pass(42_000);
    act(() => screen.getByRole('button', { name: 'Send a new code' }).focus());
    press('Send a new code');
    expect((await screen.findByRole('status')).textContent).toBe('We have sent a new code to your email');
    expect(await screen.findByRole('button', { name: 'Send a new code in 1:00' })).toBeInstanceOf(HTMLElement);
    expect(document.activeElement).toBe(code());
    expect(shop.calls('resend-otp').map(({ body }) => body)).toEqual([{ userId: ananya._id }]);
  });

  test('shows why it could not be mailed again, and keeps the focus in the input', async () => {
    const tooSoon = { status: 429, data: { message: 'Please wait a minute before asking for another code' } };
    openAuthPage('/signin', { login: UNVERIFIED, 'resend-otp': tooSoon });
    logIn();
    await findTitle('Verify Your OTP');
    await userEvent.click(screen.getByRole('button', { name: 'Send a new code' }));
    expect((await screen.findByRole('alert')).textContent).toBe(tooSoon.data.message);
    expect(document.activeElement).toBe(code());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send a new code' }).disabled).toBe(false);
  });
});

const google = () => within(screen.getByRole('region', { name: 'Other ways to sign in' }));

test('signing in with Google is disabled with a reason when the shop has no Google client id, and loads no script', async () => {
  openAuthPage('/signin');
  const why = await screen.findByText('Google sign-in is not configured on this server.');
  const button = google().getByRole<HTMLButtonElement>('button', { name: 'Google' });
  expect(button.disabled).toBe(true);
  expect(button.getAttribute('aria-describedby')).toBe(why.id);
  expect(button.title).toBe(why.textContent);
  expect(document.querySelector('script')).toBeNull();
});

test('signing in with Google shows a message when the server does not answer', async () => {
  openAuthPage('/signin', { 'sign-in-options': 'gone' });
  expect(await screen.findByText('Google sign-in cannot be reached right now.')).toBeInstanceOf(HTMLElement);
});
