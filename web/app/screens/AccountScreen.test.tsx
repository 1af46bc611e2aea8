import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userFetched } from '../../features/auth/auth-slice.ts';
import { ananya } from '../../features/auth/testing/open-auth.tsx';
import { answerCalls, createLateAnswer, renderPart } from '../../testing/shop.tsx';
import { AccountScreen } from './AccountScreen.tsx';

const getParts = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const WITHOUT_GOOGLE = ['Your details', 'Your data', 'Erase your account'];
const WITH_GOOGLE = ['Your details', 'Sign in with Google', 'Your data', 'Erase your account'];

test.each([
  ['without a Google client id has no part about Google', null, WITHOUT_GOOGLE],
  ['with a Google client id offers to join both accounts', 'ruhani', WITH_GOOGLE],
])('the account page of a shop %s', async (_, googleClientId, parts) => {
  vi.stubGlobal('google', { accounts: { id: { initialize: () => {}, renderButton: () => {} } } });
  const options = createLateAnswer();
  answerCalls(() => options.promise);
  const { store } = renderPart(<AccountScreen />, '/account');
  act(() => void store.dispatch(userFetched(ananya)));
  expect(getParts()).toEqual(WITHOUT_GOOGLE);
  await act(async () => options.answer({ data: { googleClientId, googleNonce: 'of this browser' } }));
  await waitFor(() => expect(getParts()).toEqual(parts));
});
