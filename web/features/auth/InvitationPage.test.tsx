import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fill, getHref, press } from '../../testing/interactions.ts';
import { answerCalls, renderShop, type Answer } from '../../testing/shop.tsx';
import { selectUser, userFetched } from './auth-slice.ts';
import { InvitationPage } from './InvitationPage.tsx';
import { ananya } from './testing/open-auth.tsx';

const devika = { ...ananya, isAdmin: true, roles: ['orders'] as const };

const open = (answer: Answer, address = '/invitation?token=t0ken') => {
  const asked = answerCalls(({ url }) => (url === '/user/invitation' ? answer : { status: 404 }));
  const shown = renderShop(
    [
      { path: '/invitation', Component: InvitationPage },
      { path: '*', element: <h1>Elsewhere</h1> },
    ],
    address,
  );
  return { asked, ...shown };
};

const fillIn = () => {
  fill('Name', 'Devika Rao');
  fill('Phone', '+91 98200 55501');
  fill('Password', 'rose water at dusk');
  fill('Confirm Password', 'rose water at dusk');
  press('Accept the Invitation');
};

test('an invitation is accepted with a new account, whose roles open the Site Manager', async () => {
  const { asked, router, store } = open({ data: { user: devika } });
  await expect.poll(() => router.state.location.search).toBe('');
  fillIn();
  await expect.poll(() => router.state.location.pathname).toBe('/admin/site-manager');
  expect(asked.map(({ body }) => body)).toEqual([
    {
      token: 't0ken',
      name: 'Devika Rao',
      phone: '+91 98200 55501',
      password: 'rose water at dusk',
      confirm_password: 'rose water at dusk',
    },
  ]);
  expect(selectUser(store.getState())?.roles).toEqual(['orders']);
});

test('an auditor is taken to the audit', async () => {
  const { router } = open({ data: { user: { ...ananya, isAuditor: true, roles: ['auditor'] } } });
  fillIn();
  await expect.poll(() => router.state.location.pathname).toBe('/audit');
});

test('an account that is signed in accepts with one click', async () => {
  const { asked, store } = open({ data: { user: devika } });
  store.dispatch(userFetched(ananya));
  expect(await screen.findByText(ananya.email)).toBeInstanceOf(HTMLElement);
  press('Accept the Invitation');
  await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ token: 't0ken' }]));
  await expect.poll(() => selectUser(store.getState())?.isAdmin).toBe(true);
});

test('an address with an account is asked to sign in', async () => {
  open({ status: 401, data: { message: 'There is an account with this address.', code: 'sign_in_to_join' } });
  fillIn();
  expect((await screen.findByRole('alert')).textContent).toBe('There is an account with this address.');
  expect(getHref('Sign In')).toBe('/signin');
});

test('a used link is said to be so', async () => {
  open({ status: 400, data: { message: 'This invitation is not valid any more.', code: 'invalid_request' } });
  fillIn();
  expect((await screen.findByRole('alert')).textContent).toBe('This invitation is not valid any more.');
  expect(screen.queryByLabelText('Name')).toBeNull();
});

test('wrong fields are marked, and the form stays', async () => {
  open({ status: 400, data: { message: 'Please correct the marked fields', errors: { password: 'This password is too common' } } });
  fillIn();
  expect(await screen.findByText('This password is too common')).toBeInstanceOf(HTMLElement);
  expect(screen.getByLabelText('Name')).toBeInstanceOf(HTMLElement);
});

test('a link without its token is incomplete', () => {
  open({ data: {} }, '/invitation');
  expect(screen.getByRole('alert').textContent).toContain('incomplete');
});
