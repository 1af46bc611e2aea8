import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userFetched } from '../../features/auth/auth-slice.ts';
import { ananya } from '../../features/auth/testing/open-auth.tsx';
import { answerCalls, renderPart } from '../../testing/shop.tsx';
import { AccountScreen } from './AccountScreen.tsx';

const account = { createdAt: '2026-03-04T05:06:07.000Z', hasPassword: true, google: false, totpSince: null, recoveryCodesLeft: 0 };

const open = (googleClientId: string | null, isJoined: boolean) => {
  vi.stubGlobal('google', { accounts: { id: { initialize: () => {}, renderButton: () => {} } } });
  answerCalls(({ url }) => {
    if (url === '/user/sign-in-options') return { data: { googleClientId, googleNonce: 'of this browser' } };
    if (url === '/user/account') return { data: { ...account, google: isJoined } };
    return { data: { sessions: [] } };
  });
  const { store } = renderPart(<AccountScreen />, '/account');
  act(() => void store.dispatch(userFetched(ananya)));
  return screen.findByText(/with the house since March 2026/);
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

test('the account page says that Google is joined, and offers it no more', async () => {
  await open('ruhani', true);
  expect(screen.getByText(/^Joined/)).toBeInstanceOf(HTMLElement);
  expect(screen.queryByRole('region', { name: 'Other ways to sign in' })).toBeNull();
});
