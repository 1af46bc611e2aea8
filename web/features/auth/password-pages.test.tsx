import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderShop } from '../../testing/shop.tsx';
import { selectUser, userFetched } from './auth-slice.ts';
import { ananya } from './testing/open-auth.tsx';
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx';
import { ResetPasswordPage } from './ResetPasswordPage.tsx';
import { fill, getField, getHref, press } from '../../testing/interactions.ts';

const show = (path: string) =>
  renderShop(
    [
      { path: '/forgot-password', Component: ForgotPasswordPage },
      { path: '/reset-password', Component: ResetPasswordPage },
    ],
    path,
  );
const setPassword = (password: string, repeated = password) => {
  fill('Password', password);
  fill('Confirm Password', repeated);
  press('Set the Password');
};

test("the page for a forgotten password requests a link by e-mail, and replaces the form by the server's message", async () => {
  const asked = answerCalls(() => ({ data: { message: 'A link is on its way' } }));
  show('/forgot-password');
  fill('Email', 'ananya@example.com');
  press('Send the Link');
  const said = await screen.findByRole('status');
  expect(said.textContent).toBe('A link is on its way. It is good for 30 minutes.');
  expect(document.activeElement).toBe(said.parentElement);
  expect(screen.queryByLabelText('Email')).toBeNull();
  expect(asked.map(({ url }) => url)).toEqual(['/user/forgot-password']);
});

test('the page for a forgotten password requires an e-mail before it sends', async () => {
  const asked = answerCalls(() => ({ data: {} }));
  show('/forgot-password');
  press('Send the Link');
  expect(await screen.findByText('Required')).toBeInstanceOf(HTMLElement);
  expect(asked).toEqual([]);
});

test('the page for a forgotten password shows why the request was refused, and can send it again', async () => {
  answerCalls(() => ({ status: 429, data: { message: 'Please wait a while' } }));
  show('/forgot-password');
  fill('Email', 'ananya@example.com');
  press('Send the Link');
  expect((await screen.findByRole('alert')).textContent).toBe('Please wait a while');
  expect(screen.getByRole('button', { name: 'Send the Link' }).hasAttribute('disabled')).toBe(false);
});

test('the page for a forgotten password links back to the sign-in page, and keeps the page to return to', () => {
  show('/forgot-password?from=%2Fcart');
  expect(getHref('Back to sign in')).toBe('/signin?from=%2Fcart');
});

test('the page for a new password sends the token of the link, which it first removes from the URL', async () => {
  const asked = answerCalls(() => ({ data: { message: 'Your password is changed. Please sign in.' } }));
  const { router } = show('/reset-password?token=t0ken');
  expect(router.state.location.search).toBe('');
  setPassword('vetiver-rain');
  expect((await screen.findByRole('status')).textContent).toBe('Your password is changed. Please sign in.');
  expect(getHref('Sign In')).toBe('/signin');
  expect(asked.map(({ body }) => body)).toEqual([{ token: 't0ken', password: 'vetiver-rain', confirm_password: 'vetiver-rain' }]);
});

test('the page for a new password signs the user out', async () => {
  answerCalls(() => ({ data: { message: 'Changed' } }));
  const { store } = show('/reset-password?token=t0ken');
  store.dispatch(userFetched(ananya));
  setPassword('vetiver-rain');
  await screen.findByRole('status');
  expect(selectUser(store.getState())).toBeNull();
});

test('the page for a new password focuses the field that the server refuses', async () => {
  answerCalls(() => ({
    status: 400,
    data: { message: 'Please correct the marked fields', errors: { confirm_password: 'The passwords are not the same' } },
  }));
  show('/reset-password?token=t0ken');
  setPassword('vetiver-rain', 'vetiver-reign');
  await screen.findByText('The passwords are not the same');
  await waitFor(() => expect(document.activeElement).toBe(getField('Confirm Password')));
});

test('the page for a new password offers a new link when the link is no longer valid', async () => {
  answerCalls(() => ({ status: 400, data: { message: 'This link is not valid any more. Please ask for a new one.' } }));
  show('/reset-password?token=used');
  setPassword('vetiver-rain');
  expect((await screen.findByRole('alert')).textContent).toContain('not valid any more');
  expect(getHref('Ask for a New Link')).toBe('/forgot-password');
  expect(screen.queryByLabelText('Password')).toBeNull();
});

test('the page for a new password keeps the password for another try when the server fails', async () => {
  answerCalls(() => ({ status: 503, data: { message: 'The shop is very busy' } }));
  show('/reset-password?token=t0ken');
  setPassword('vetiver-rain');
  expect((await screen.findByRole('alert')).textContent).toBe('The shop is very busy');
  expect(getField('Password').value).toBe('vetiver-rain');
});

test('the page for a new password offers a new link when the link has no token', () => {
  show('/reset-password');
  expect(screen.getByRole('alert').textContent).toContain('incomplete');
  expect(screen.getByRole('link', { name: 'Ask for a New Link' })).toBeInstanceOf(HTMLElement);
});
