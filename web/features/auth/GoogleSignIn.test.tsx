import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { GoogleId } from './GoogleSignIn.tsx';
import { ananya, NO_ROOM_FOR, openAuthPage, type Answers } from './testing/open-auth.tsx';
import { press } from '../../testing/interactions.ts';

/** A fake of Google's script as the page uses it: it renders a button and returns a token on click. */
const googleWithButton = () => {
  let onToken: Parameters<GoogleId['initialize']>[0]['callback'] = () => {};
  const initialize = vi.fn<GoogleId['initialize']>(({ callback }) => {
    onToken = callback;
  });
  const renderButton: GoogleId['renderButton'] = (place) => {
    const button = Object.assign(document.createElement('button'), { textContent: 'Sign in with Google' });
    button.addEventListener('click', () => onToken({ credential: 'a token' }));
    place.replaceChildren(button);
  };
  return { initialize, renderButton };
};

let scripts: HTMLScriptElement[] = [];
const comes = (event: 'load' | 'error') => act(async () => void scripts.at(-1)?.dispatchEvent(new Event(event)));

beforeEach(() => {
  scripts = [];
  vi.spyOn(document.head, 'append').mockImplementation((node) => void (node instanceof HTMLScriptElement && scripts.push(node)));
});

const open = async (answers: Answers = {}) => {
  const shop = openAuthPage('/signin', {
    'sign-in-options': { status: 200, data: { googleClientId: 'ruhani', googleNonce: 'of this browser' } },
    ...answers,
  });
  await waitFor(() => expect(shop.calls('sign-in-options')).toHaveLength(1));
  return shop;
};

test("Google's own button shows and logs a failed script; a second try can succeed, and its token signs in and tells what did not fit", async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const google = googleWithButton();
  const shop = await open({ 'google-login': { status: 200, data: { user: ananya, noRoomFor: NO_ROOM_FOR } } });
  await waitFor(() => expect(scripts.map(({ src }) => src)).toEqual(['https://accounts.google.com/gsi/client']));
  await comes('error');
  expect((await screen.findByRole('alert')).textContent).toContain('Google sign-in could not be loaded.');
  expect(log).toHaveBeenCalledWith('Google sign-in', expect.any(Error));

  press('Try again');
  await waitFor(() => expect(scripts).toHaveLength(2));
  vi.stubGlobal('google', { accounts: { id: google } });
  await comes('load');
  expect(google.initialize).toHaveBeenCalledWith(expect.objectContaining({ client_id: 'ruhani', nonce: 'of this browser' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in with Google' }));
  await waitFor(() => expect(shop.place()).toBe('/'));
  expect(shop.calls('google-login')).toEqual([{ path: 'google-login', body: { token: 'a token' } }]);
  expect(shop.leftOut).toEqual(NO_ROOM_FOR);
});

test("Google's own button reuses a loaded script; a refused token is reported, and the next try has a new nonce", async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const google = googleWithButton();
  vi.stubGlobal('google', { accounts: { id: google } });
  const options = { status: 200, data: { googleClientId: 'ruhani', googleNonce: 'used in another tab' } };
  const refused = { status: 401, data: { message: 'Google login failed', code: 'invalid_token' } };
  const shop = await open({ 'sign-in-options': options, 'google-login': refused });
  await waitFor(() => expect(google.initialize).toHaveBeenCalledTimes(1));
  options.data = { googleClientId: 'ruhani', googleNonce: 'a new one' };
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in with Google' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Google login failed');
  await waitFor(() => expect(google.initialize).toHaveBeenCalledTimes(2));
  expect(google.initialize).toHaveBeenLastCalledWith(expect.objectContaining({ nonce: 'a new one' }));
  expect(shop.calls('sign-in-options')).toHaveLength(2);
  expect(scripts).toEqual([]);
});
