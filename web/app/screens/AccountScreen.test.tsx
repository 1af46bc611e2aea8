import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userFetched } from '../../features/auth/auth-slice.ts';
import { ananya } from '../../features/auth/testing/open-auth.tsx';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { AccountScreen } from './AccountScreen.tsx';

const account = { createdAt: '2026-03-04T05:06:07.000Z', hasPassword: true, google: false, totpSince: null, recoveryCodesLeft: 0 };

const open = async (googleClientId: string | null, isJoined: boolean, user = ananya) => {
  let onToken: (answer: { credential: string }) => void = () => {};
  const renderButton = (place: HTMLElement): void => {
    const button = Object.assign(document.createElement('button'), { textContent: 'Sign in with Google' });
    button.addEventListener('click', () => onToken({ credential: 'a token' }));
    place.replaceChildren(button);
  };
  const initialize = ({ callback }: { callback: typeof onToken }) => void (onToken = callback);
  vi.stubGlobal('google', { accounts: { id: { initialize, renderButton } } });
  const asked = answerCalls(({ url }) => {
    if (url === '/user/google-login') return { status: 409, data: { message: 'Another address', code: 'another_account' } };
    if (url === '/user/sign-in-options') return { data: { googleClientId, googleNonce: 'of this browser' } };
    if (url === '/user/account') return { data: { ...account, google: isJoined } };
    return { data: { sessions: [] } };
  });
  const { store } = renderPart(<AccountScreen />, '/account');
  act(() => void store.dispatch(userFetched(user)));
  await screen.findByText(/with the house since March 2026/);
  return asked;
};

test('the account page of a shop without a Google client id says nothing of Google', async () => {
  await open(null, false);
  expect(screen.queryByText('Google')).toBeNull();
});

test('the account page of a shop with a Google client id offers to join both accounts', async () => {
  await open('ruhani', false);
  expect(await screen.findByRole('region', { name: 'Other ways to sign in' })).toBeInstanceOf(HTMLElement);
  expect(screen.getByText(/^Not joined/)).toBeInstanceOf(HTMLElement);
});

test('the account page joins the Google account of its address only, and says why it refuses another', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const asked = await open('ruhani', false);
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in with Google' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Another address');
  expect(asked.find(({ url }) => url === '/user/google-login')?.body).toEqual({ token: 'a token', join: true });
  expect(screen.getByText(/^Not joined/)).toBeInstanceOf(HTMLElement);
});

test('the account page offers staff no joining, which the shop would refuse', async () => {
  const asked = await open('ruhani', false, { ...ananya, roles: ['orders'] });
  await waitFor(() => expect(asked.map(({ url }) => url)).toContain('/user/sign-in-options'));
  expect(screen.queryByText(/^Not joined/)).toBeNull();
});

test('the account page says that Google is joined, and offers it no more', async () => {
  await open('ruhani', true);
  expect(screen.getByText(/^Joined/)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('region', { name: 'Other ways to sign in' })).toBeNull();
});
